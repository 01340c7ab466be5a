#pragma once

// A matrix on the device and its product with a vector. Rows of up to 32 entries are one segment each; of longer rows
// the segments' sums are joined by the pairwise tree.

#include <cstdint>
#include <memory>
#include <optional>

#include "problems/linear_system/scheme/segments.hpp"

namespace quoin {

/// Launches of a product at most.
inline constexpr std::size_t most_product_launches = 9;  // a hybrid has two parts; rows of 2^31 are joined in 5

class DeviceMatrix {
 public:
  /// The table of kernels names those of the rows of one segment with what `note` says of them.
  DeviceMatrix(const DevicePlace& place, const SparseMatrix& matrix, const Storage& storage, const char* note = "");

  /// y = A x
  void multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y);
  /// The same with the block sums of v y, if one kernel can make both; else false, and nothing is done.
  bool multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y, const VectorPlace& v,
                const Argument& partials, const Argument& control) {
    return !long_ && rows_->multiply(queue, x, y, v, partials, control);
  }
  /// Of the rows of one segment.
  [[nodiscard]] const char* format() const { return rows_->format(); }
  [[nodiscard]] double shared() const { return rows_->shared(); }
  /// All that it takes on the device.
  [[nodiscard]] double bytes() const;

 private:
  /// results[to[k]] = the sums from first[k] to first[k + 1], joined by the pairwise tree.
  struct Join {
    Buffer<std::byte> sums;
    Buffer<std::int64_t> first;
    Buffer<std::int32_t> to;
    std::int64_t count, results;  ///< elements of the sums and of the results
    TimedKernel kernel;
  };
  struct LongRows {
    std::unique_ptr<Segments> segments;
    std::vector<Join> joins;  ///< one after the other
  };
  static Join join_of(const DevicePlace& place, std::int64_t sums, const std::vector<std::int64_t>& first,
                      const std::vector<std::int32_t>& to, std::int64_t results);
  static std::optional<LongRows> long_rows(const DevicePlace& place, const SparseMatrix& matrix,
                                           const Storage& storage);

  std::unique_ptr<Segments> rows_;  // a segment a row, empty for those that are longer
  std::optional<LongRows> long_;
};

/// Bytes on the device of a matrix with so many rows and entries, at most.
double matrix_bytes(std::int64_t rows, std::int64_t entries, Format format, Precision precision);

}  // namespace quoin
