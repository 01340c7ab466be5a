#pragma once

// Vectors on the device as the kernels of Krylov methods take them: planes 16 wide, zero behind the last element, so
// that a block of their dot products is 512 successive elements.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "quoin/buffer.hpp"
#include "quoin/kernel_entry.hpp"
#include "quoin/precision.hpp"

namespace quoin {

constexpr std::int64_t vector_block = block_columns * block_rows;
/// Blocks of a vector with so many elements.
constexpr std::int64_t vector_blocks(std::int64_t rows) { return (rows + vector_block - 1) / vector_block; }
inline Box vector_box(std::int64_t rows) { return Box::plane(block_columns, block_rows * vector_blocks(rows)); }

class Vector {
 public:
  Vector(const std::shared_ptr<Executor>& executor, Queue& queue, std::int64_t rows, Precision precision)
      : rows_(static_cast<std::size_t>(rows)),
        precision_(precision),
        buffer_(executor, static_cast<std::size_t>(vector_blocks(rows) * vector_block) * element_size(precision)) {
    upload(queue, std::vector<std::byte>(buffer_.size()));
  }

  /// The first elements, in the vector's precision.
  void upload(Queue& queue, std::span<const std::byte> values) { buffer_.upload(queue, values); }
  void upload(Queue& queue, std::span<const double> values) { upload(queue, in_precision(values, precision_)); }
  [[nodiscard]] std::vector<std::byte> values(Queue& queue) const {
    std::vector<std::byte> raw(rows_ * element_size(precision_));
    buffer_.download(queue, raw);
    return raw;
  }

  [[nodiscard]] Argument plane() { return Argument::buffer(buffer_.memory(), 0, block_columns); }
  [[nodiscard]] Argument list() { return Argument::buffer(buffer_.memory()); }

 private:
  std::size_t rows_;
  Precision precision_;
  Buffer<std::byte> buffer_;
};

/// A number of a recurrence.
class Scalar {
 public:
  Scalar(const std::shared_ptr<Executor>& executor, Precision precision)
      : precision_(precision), buffer_(executor, element_size(precision)) {}

  void set(Queue& queue, double value) { buffer_.upload(queue, in_precision(std::span(&value, 1), precision_)); }
  [[nodiscard]] double value(Queue& queue) const {
    std::vector<std::byte> raw(element_size(precision_));
    buffer_.download(queue, raw);
    return value_at(raw, 0, precision_);
  }
  [[nodiscard]] Argument argument() { return Argument::buffer(buffer_.memory()); }

 private:
  Precision precision_;
  Buffer<std::byte> buffer_;
};

}  // namespace quoin
