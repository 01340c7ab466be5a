#pragma once

// Triangular systems (I + N) z = r, where N has entries on one side of its diagonal alone.

#include <memory>

#include "problems/linear_system/scheme/vectors.hpp"
#include "problems/linear_system/setup/setup.hpp"

namespace quoin {

class TriangularSolver {
 public:
  TriangularSolver() = default;
  TriangularSolver(const TriangularSolver&) = delete;
  TriangularSolver& operator=(const TriangularSolver&) = delete;
  virtual ~TriangularSolver() = default;

  /// z, which is another vector than r; nothing where `control` says that the run has stopped.
  virtual void solve(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& control) = 0;
  /// Launches that one after the other has to wait for.
  [[nodiscard]] virtual std::int64_t steps() const = 0;
};

/// z = r - N z, level by level: exact.
std::unique_ptr<TriangularSolver> solver_by_levels(const DevicePlace& place, const SparseMatrix& n);
/// So many sweeps z = r - N z of Jacobi's method from z = r: as many as there are levels give the bits of those.
std::unique_ptr<TriangularSolver> solver_by_sweeps(const DevicePlace& place, const SparseMatrix& n,
                                                   const Storage& storage, std::int64_t sweeps);

}  // namespace quoin
