#pragma once

// A matrix on the device in the format CSR, and its product with a vector.

#include <cstdint>
#include <memory>
#include <optional>

#include "problems/linear_system/scheme/vectors.hpp"
#include "quoin/kernel_timer.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Entries of a row that are summed in one chain: longer rows are cut into segments of so many.
inline constexpr std::int64_t segment_length = 32;
/// Launches of a product at most.
inline constexpr std::size_t most_product_launches = 3;

class CsrMatrix {
 public:
  CsrMatrix(const std::shared_ptr<Executor>& executor, Queue& queue, const SparseMatrix& matrix, Precision precision,
            KernelTimer& timer);

  /// y = A x
  void multiply(Queue& queue, Vector& x, Vector& y);

 private:
  /// Segments one after the other, with their entries.
  struct Segments {
    Segments(const std::shared_ptr<Executor>& executor, Queue& queue, const SparseMatrix& segments, Precision precision,
             KernelTimer& timer, const char* row);
    void launch(Queue& queue, Vector& x, const Argument& sums);

    Buffer<std::int64_t> at;
    Buffer<std::int32_t> column;
    Buffer<std::byte> value;
    std::int64_t entries, columns;
    TimedKernel kernel;
  };
  /// Rows of more than one segment.
  struct LongRows {
    Segments segments;
    Buffer<std::byte> sums;
    Buffer<std::int64_t> first;  ///< segment of each, and the end
    Buffer<std::int32_t> row;
    std::int64_t rows, count;
    TimedKernel join;
  };
  static std::optional<LongRows> long_rows(const std::shared_ptr<Executor>& executor, Queue& queue,
                                           const SparseMatrix& matrix, Precision precision, KernelTimer& timer);

  Segments rows_;  // a segment a row, empty for those that are longer
  std::optional<LongRows> long_;
};

/// Bytes on the device of a matrix with so many rows and entries, at most.
double csr_bytes(std::int64_t rows, std::int64_t entries, Precision precision);

}  // namespace quoin
