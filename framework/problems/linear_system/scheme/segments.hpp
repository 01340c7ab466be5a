#pragma once

// Segments of the rows of a matrix times a vector: what a format of a sparse matrix is on the device. A segment has up
// to 32 entries by ascending column, and its sum is one chain of fma from +0, in whatever way they are stored.

#include <cstdint>
#include <memory>
#include <string>

#include "problems/linear_system/scheme/vectors.hpp"
#include "problems/linear_system/setup/slices.hpp"
#include "quoin/kernel_timer.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

class Segments {
 public:
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  virtual ~Segments() = default;

  /// sums[s] = segment s times x. `sums` is a list.
  virtual void multiply(Queue& queue, const VectorPlace& x, const Argument& sums) = 0;
  /// Of segments that are rows: y = the segments times x, with the block sums of v y. False where no one kernel does
  /// that, and nothing is done.
  virtual bool multiply(Queue& /*queue*/, const VectorPlace& /*x*/, const VectorPlace& /*y*/, const VectorPlace& /*v*/,
                        const Argument& /*partials*/, const Argument& /*control*/) {
    return false;
  }
  [[nodiscard]] virtual const char* format() const = 0;
  /// The part of what it stores that is in memory for several slices.
  [[nodiscard]] virtual double shared() const { return 0.0; }
  /// On the device.
  [[nodiscard]] double bytes() const { return bytes_; }

 protected:
  explicit Segments(double bytes) : bytes_(bytes) {}

 private:
  double bytes_;
};

/// A segment a row of `segments`. The table of kernels names the kernel with what `note` says of it.
std::unique_ptr<Segments> csr_segments(const DevicePlace& place, const SparseMatrix& segments, const char* note);
std::unique_ptr<Segments> sell_segments(const DevicePlace& place, const SparseMatrix& segments, Sharing sharing,
                                        const char* note);
/// The first `steps` entries of each at most.
std::unique_ptr<Segments> ell_segments(const DevicePlace& place, const SparseMatrix& segments, std::int64_t steps,
                                       const char* note);
/// All but the first `steps` entries of each: where there are such, `sums` holds theirs before, and the chains go on.
std::unique_ptr<Segments> coo_segments(const DevicePlace& place, const SparseMatrix& segments, std::int64_t steps,
                                       const char* note);
std::unique_ptr<Segments> hybrid_segments(const DevicePlace& place, const SparseMatrix& segments, const char* note);
/// In the format that is asked for, or in the one that suits the matrix and the device.
std::unique_ptr<Segments> stored_segments(const DevicePlace& place, const SparseMatrix& segments,
                                          const Storage& storage, const char* note = "");

/// The kernels of a format.
std::vector<const char*> segment_kernels(Format format);

/// Bytes on the device of so many segments and entries.
double csr_bytes(double segments, double entries, Precision precision);
/// What a product moves and does at least: what is stored, the sums and each x once.
Cost product_cost(std::int64_t sums, std::int64_t columns, std::int64_t entries, double bytes, Precision precision);
Cost product_cost(const SparseMatrix& segments, double bytes, Precision precision);

}  // namespace quoin
