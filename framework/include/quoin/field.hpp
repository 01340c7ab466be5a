#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "quoin/buffer.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// nx by ny values on a device, in the storage that its executor wants; with `ring` 1 a layer of ghosts around them.
/// Below and above there can be more.
class Field {
 public:
  Field(const std::shared_ptr<Executor>& executor, std::int64_t nx, std::int64_t ny, std::int64_t ring,
        Precision precision)
      : Field(executor, nx, ny, ring, precision, ring) {}
  /// With so many rows of ghosts on either side, `ring` at least.
  Field(const std::shared_ptr<Executor>& executor, std::int64_t nx, std::int64_t ny, std::int64_t ring,
        Precision precision, std::int64_t ghost_rows);

  [[nodiscard]] const std::shared_ptr<Executor>& executor() const { return buffer_.executor(); }
  [[nodiscard]] Argument argument();

  /// Fills `row` (zero before the call), which holds columns -ring to nx - 1 + ring of row j.
  using Fill = std::function<void(std::int64_t j, std::span<double> row)>;
  /// Sets the whole field, ghosts included, rounding to its precision. Host memory stays at a few rows.
  void upload(Queue& queue, const Fill& fill) { upload(queue, -ghost_rows_, ny_ + ghost_rows_, fill); }
  /// Sets the rows [first, last), ghosts among them.
  void upload(Queue& queue, std::int64_t first, std::int64_t last, const Fill& fill);
  /// The same from raw values, `row` being zero before the call.
  using RawFill = std::function<void(std::int64_t j, std::span<std::byte> row)>;
  void upload_raw(Queue& queue, std::int64_t first, std::int64_t last, const RawFill& fill);

  /// Receives the interior of row j, raw values.
  using Read = std::function<void(std::int64_t j, std::span<const std::byte> row)>;
  void download(Queue& queue, const Read& read) const { download(queue, 0, ny_, read); }
  void download(Queue& queue, std::int64_t first, std::int64_t last, const Read& read) const;
  /// Whole rows from `first` on as they lie in memory, with their ring: as many as the bytes, which bytes_of_rows()
  /// tells, have room for. For a field of the same width and pitch.
  void copy_rows_out(Queue& queue, std::int64_t first, std::span<std::byte> rows) const;
  void copy_rows_in(Queue& queue, std::int64_t first, std::span<const std::byte> rows);
  [[nodiscard]] std::size_t bytes_of_rows(std::int64_t rows) const;
  [[nodiscard]] std::int64_t pitch() const { return layout_.pitch; }
  /// The interior, raw values row by row: what fill_of() takes.
  [[nodiscard]] std::vector<std::byte> values(Queue& queue) const;
  /// The interior of row j alone; `row` has room for it.
  void download_row(Queue& queue, std::int64_t j, std::span<double> row) const;

 private:
  [[nodiscard]] std::int64_t rows_per_copy() const;
  [[nodiscard]] std::size_t offset(std::int64_t i, std::int64_t j) const;

  std::int64_t nx_, ny_, ring_, ghost_rows_;
  Precision precision_;
  Layout layout_;
  Buffer<std::byte> buffer_;
};

/// From raw values without a ring, row by row, which have to outlive it.
Field::Fill fill_of(std::span<const std::byte> values, Precision precision);

/// Bytes that a field takes at most, in a double: a case may ask for more than an integer holds.
double field_bytes(std::int64_t nx, std::int64_t ny, Precision precision);

}  // namespace quoin
