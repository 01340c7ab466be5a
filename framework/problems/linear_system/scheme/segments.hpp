#pragma once

// Segments of the rows of a matrix times a vector: what a format of a sparse matrix is on the device. A segment has up
// to 32 entries by ascending column, and its sum is one chain of fma from +0, in whatever way they are stored.

#include <cstdint>
#include <memory>
#include <string>

#include "problems/linear_system/scheme/vectors.hpp"
#include "quoin/kernel_timer.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Entries of a row that are summed in one chain: longer rows are cut into segments of so many.
inline constexpr std::int64_t segment_length = 32;

class Segments {
 public:
  Segments() = default;
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  virtual ~Segments() = default;

  /// sums[s] = segment s times x. `sums` is a list.
  virtual void multiply(Queue& queue, const VectorPlace& x, const Argument& sums) = 0;
};

/// A segment a row of `segments`. `row` is theirs in the table of kernels.
std::unique_ptr<Segments> csr_segments(const DevicePlace& place, const SparseMatrix& segments, const std::string& row);

/// Bytes on the device of so many segments and entries.
double csr_bytes(double segments, double entries, Precision precision);

}  // namespace quoin
