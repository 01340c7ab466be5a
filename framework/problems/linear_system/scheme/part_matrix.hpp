#pragma once

#include "base/runs.hpp"
#include "problems/linear_system/scheme/device_matrix.hpp"
#include "problems/linear_system/setup/matrix_part.hpp"
#include "quoin/buffer.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

/// The rows of a matrix that this rank has, on its device: all of them where it is alone. Vectors that it multiplies
/// have room(); what it needs of other ranks comes with each product, so that all ranks make the same products.
class PartMatrix {
 public:
  PartMatrix(const DevicePlace& place, const SparseMatrix& matrix, const Cuts& rows, const Cuts& columns,
             const Storage& storage, const char* note = "");

  /// y = A x
  void multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y);
  /// The same, and with the block sums of v y where it is true: where one kernel can make both.
  bool multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y, const VectorPlace& v,
                const Argument& partials, const Argument& control);

  [[nodiscard]] const Room& room() const { return part_.room; }
  [[nodiscard]] const DeviceMatrix& stored() const { return matrix_; }

 private:
  struct Sending {
    MatrixPart::Peer peer;
    std::vector<NumberRun> runs;  ///< elements that lie close together
  };
  [[nodiscard]] static std::size_t length_of(const Sending& to, const NumberRun& run);
  [[nodiscard]] VectorPlace with_ghosts(const VectorPlace& x) const;
  void fetch_ghosts(Queue& queue, const VectorPlace& x);
  void take_elements(const Sending& to, Queue& queue, const VectorPlace& x, std::span<std::byte> elements);

  Communicator& ranks_;
  std::size_t size_;  // of an element
  MatrixPart part_;   // its matrix is on the device alone
  DeviceMatrix matrix_;
  std::vector<Sending> sending_;
  HostBytes messages_, run_;      // the latter of the longest run
  std::vector<Parcel> out_, in_;  // in messages_, of those that send or get something
};

}  // namespace quoin
