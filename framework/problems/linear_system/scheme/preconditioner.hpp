#pragma once

// What brings a system closer to one that is easy to solve: z = M r with M close to the inverse of the matrix.

#include <memory>

#include "problems/linear_system/scheme/vectors.hpp"
#include "problems/linear_system/setup/setup.hpp"

namespace quoin {

class Preconditioner {
 public:
  Preconditioner() = default;
  Preconditioner(const Preconditioner&) = delete;
  Preconditioner& operator=(const Preconditioner&) = delete;
  virtual ~Preconditioner() = default;

  /// z = M r, and the block sums of r z; nothing where `control` says that the run has stopped.
  virtual void apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& partials,
                     const Argument& control) = 0;
};

/// Launches of apply() at most.
inline constexpr std::size_t most_preconditioner_launches = 2;

/// That of the case; null for none.
std::unique_ptr<Preconditioner> preconditioner_of(const DevicePlace& place, const LinearSystemSetup& setup,
                                                  const LinearSystem& system);
/// The kernels that it makes.
std::vector<KernelSpec> preconditioner_kernels(const LinearSystemSetup& setup);
/// Its bytes on the device.
double preconditioner_bytes(const LinearSystemSetup& setup);

}  // namespace quoin
