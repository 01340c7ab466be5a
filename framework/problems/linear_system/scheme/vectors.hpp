#pragma once

// Vectors on the device as the kernels of Krylov methods take them: planes 16 wide, zero behind the last element, so
// that a block of their dot products is 512 successive elements.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "problems/linear_system/setup/matrix_part.hpp"
#include "quoin/buffer.hpp"
#include "quoin/communicator.hpp"
#include "quoin/kernel_entry.hpp"
#include "quoin/kernel_timer.hpp"
#include "quoin/precision.hpp"

namespace quoin {

/// Bytes of such a vector on the device.
constexpr double vector_bytes(std::int64_t rows, Precision precision) {
  return static_cast<double>(vector_blocks(rows) * vector_block) * static_cast<double>(element_size(precision));
}
inline Box vector_box(std::int64_t rows) { return Box::plane(block_columns, block_rows * vector_blocks(rows)); }

/// Where and in what arithmetic something is made on a device, by one of some ranks.
struct DevicePlace {
  std::shared_ptr<Executor> executor;
  Queue& queue;
  Precision precision;
  KernelTimer& timer;
  Communicator& ranks;
};

/// A kernel over the elements of vectors, block by block.
inline TimedKernel kernel_on_blocks(const DevicePlace& place, const char* kernel, std::int64_t rows) {
  return {*place.executor, {kernel, place.precision, {}}, vector_box(rows), place.timer};
}
/// One over their elements, which is faster where nothing is summed.
inline TimedKernel kernel_on_line(const DevicePlace& place, const char* kernel, std::int64_t rows) {
  return {*place.executor, {kernel, place.precision, {}}, Box::line(rows), place.timer};
}

template <class T>
Buffer<T> uploaded(const DevicePlace& place, std::span<const T> values) {
  Buffer<T> buffer(place.executor, std::max<std::size_t>(1, values.size()));  // no device allocates nothing
  if (!values.empty()) buffer.upload(place.queue, values);
  return buffer;
}
template <class T>
Buffer<T> uploaded(const DevicePlace& place, const std::vector<T>& values) {
  return uploaded(place, std::span(values));
}
inline Buffer<std::byte> uploaded(const DevicePlace& place, const RawValues& values) {
  return uploaded(place, std::span<const std::byte>(values));
}

/// A vector for the kernels: one of its own, or one of a basis.
struct VectorPlace {
  Memory* memory;
  std::size_t offset = 0;  ///< bytes

  [[nodiscard]] Argument plane() const { return Argument::buffer(*memory, offset, block_columns); }
  [[nodiscard]] Argument list() const { return Argument::buffer(*memory, offset); }
};

/// A vector, or a basis of several one behind the other, each filled up with zeros.
class Vector {
 public:
  /// `room`: for what else it has beside its elements where it is multiplied by a part of a matrix.
  Vector(const DevicePlace& place, std::int64_t rows, const Room& room = {}, std::int64_t count = 1)
      : size_(element_size(place.precision)),
        precision_(place.precision),
        rows_(rows),
        count_(count),
        front_(room.front),
        stride_(room.front + vector_blocks(rows) * vector_block + room.back),
        buffer_(place.executor, static_cast<std::size_t>(count * stride_) * size_) {
    clear(place.queue);
  }

  /// The first elements, in the vector's precision.
  void upload(Queue& queue, std::span<const std::byte> values, std::int64_t k = 0) {
    buffer_.upload(queue, values, at(k).offset);
  }
  void upload(Queue& queue, std::span<const double> values) { upload(queue, in_precision(values, precision_)); }
  void clear(Queue& queue) {
    // A basis may be larger than the host has room for.
    const std::vector<std::byte> zeros(std::min<std::size_t>(buffer_.size(), 1 << 22));
    for (std::size_t first = 0; first < buffer_.size(); first += zeros.size())
      buffer_.upload(queue, std::span(zeros).first(std::min(zeros.size(), buffer_.size() - first)), first);
  }
  [[nodiscard]] std::vector<std::byte> values(Queue& queue, std::int64_t k = 0) {
    std::vector<std::byte> raw(static_cast<std::size_t>(rows_) * size_);
    buffer_.download(queue, raw, at(k).offset);
    return raw;
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Elements from one to the next.
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  [[nodiscard]] VectorPlace at(std::int64_t k) {
    return {&buffer_.memory(), static_cast<std::size_t>(front_ + k * stride_) * size_};
  }
  operator VectorPlace() { return at(0); }  // NOLINT(google-explicit-constructor): what kernels are given
  [[nodiscard]] Argument plane() { return at(0).plane(); }
  [[nodiscard]] Argument list() { return at(0).list(); }
  /// Each of a basis as one row.
  [[nodiscard]] Argument lines() { return Argument::buffer(buffer_.memory(), at(0).offset, stride_); }

 private:
  std::size_t size_;
  Precision precision_;
  std::int64_t rows_, count_, front_, stride_;
  Buffer<std::byte> buffer_;
};

/// A number of a recurrence, or a few.
class Scalar {
 public:
  explicit Scalar(const DevicePlace& place, std::int64_t count = 1)
      : precision_(place.precision),
        buffer_(place.executor, static_cast<std::size_t>(count) * element_size(precision_)) {
    upload(place.queue, std::vector<double>(static_cast<std::size_t>(count)));
  }

  void set(Queue& queue, double value) { upload(queue, std::span(&value, 1)); }
  void upload(Queue& queue, std::span<const double> values) { buffer_.upload(queue, in_precision(values, precision_)); }
  [[nodiscard]] double value(Queue& queue) const { return values(queue).front(); }
  [[nodiscard]] std::vector<double> values(Queue& queue) const {
    std::vector<std::byte> raw(buffer_.size());
    buffer_.download(queue, raw);
    return from_precision(raw, precision_);
  }
  /// From element `first` on.
  [[nodiscard]] Argument argument(std::int64_t first = 0) {
    return Argument::buffer(buffer_.memory(), static_cast<std::size_t>(first) * element_size(precision_));
  }

 private:
  Precision precision_;
  Buffer<std::byte> buffer_;
};

}  // namespace quoin
