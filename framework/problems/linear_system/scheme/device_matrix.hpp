#pragma once

// A matrix on the device and its product with a vector. Rows of up to 32 entries are one segment each; of longer rows
// the segments' sums are joined by the pairwise tree.

#include <cstdint>
#include <memory>
#include <optional>

#include "problems/linear_system/scheme/segments.hpp"

namespace quoin {

/// Launches of a product at most.
inline constexpr std::size_t most_product_launches = 5;  // a hybrid has two parts

class DeviceMatrix {
 public:
  DeviceMatrix(const DevicePlace& place, const SparseMatrix& matrix, const Storage& storage);

  /// y = A x
  void multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y);
  /// Of the rows of one segment.
  [[nodiscard]] const char* format() const { return rows_->format(); }
  [[nodiscard]] double shared() const { return rows_->shared(); }
  /// All that it takes on the device.
  [[nodiscard]] double bytes() const;

 private:
  struct LongRows {
    std::unique_ptr<Segments> segments;
    Buffer<std::byte> sums;
    Buffer<std::int64_t> first;  ///< segment of each, and the end
    Buffer<std::int32_t> row;
    std::int64_t rows, count;
    TimedKernel join;
  };
  static std::optional<LongRows> long_rows(const DevicePlace& place, const SparseMatrix& matrix,
                                           const Storage& storage);

  std::unique_ptr<Segments> rows_;  // a segment a row, empty for those that are longer
  std::optional<LongRows> long_;
};

/// Bytes on the device of a matrix with so many rows and entries, at most.
double matrix_bytes(std::int64_t rows, std::int64_t entries, Format format, Precision precision);

}  // namespace quoin
