#pragma once

// What brings a system closer to one that is easy to solve: z = M r with M close to the inverse of the matrix.

#include <memory>
#include <optional>
#include <vector>

#include "problems/linear_system/scheme/vectors.hpp"
#include "problems/linear_system/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// A diagonal matrix on the device: its elements, or one number where all are alike.
class Diagonal {
 public:
  Diagonal(const DevicePlace& place, std::span<const double> elements);

  [[nodiscard]] Argument plane() { return elements_ ? elements_->plane() : Argument::absent(); }
  [[nodiscard]] Argument varies() const { return Argument::integer(elements_ ? 1 : 0); }
  [[nodiscard]] Argument same() const { return Argument::real(first_); }

 private:
  double first_;
  std::optional<Vector> elements_;
};

class Preconditioner {
 public:
  Preconditioner() = default;
  Preconditioner(const Preconditioner&) = delete;
  Preconditioner& operator=(const Preconditioner&) = delete;
  virtual ~Preconditioner() = default;

  /// z = M r; nothing where `control` says that the run has stopped. True where one kernel has made the block sums of
  /// r z as well, in `partials`.
  virtual bool apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& partials,
                     const Argument& control) = 0;
  /// What r and z have beside this rank's elements.
  [[nodiscard]] virtual Room room() const { return {}; }
  /// The matrix M, where it is a diagonal one: then a solver need not store z.
  [[nodiscard]] virtual Diagonal* diagonal() { return nullptr; }
  /// What summary.json says of it.
  [[nodiscard]] virtual std::vector<Figure> figures() const { return {}; }
};

/// A preconditioner, and what a run with it needs.
struct PreconditionerMethod {
  std::size_t launches = 0;  ///< of apply() at most
  std::vector<const char*> kernels;
  double bytes = 0.0;      ///< on the device, at most
  double host = 0.0;       ///< bytes on the host while it is made
  bool symmetric = false;  ///< whether it is its own transpose, whatever the matrix
  bool alone = false;      ///< whether there is none of several ranks
  /// Throws ErrorKind::case_file for a matrix that it does not suit. Null: there is none.
  std::unique_ptr<Preconditioner> (*make)(const DevicePlace& place, const LinearSystemSetup& setup,
                                          const LinearSystem& system) = nullptr;
};
template <class Kind>
std::unique_ptr<Preconditioner> make_preconditioner(const DevicePlace& place, const LinearSystemSetup& setup,
                                                    const LinearSystem& system) {
  return std::make_unique<Kind>(place, setup, system);
}
/// That of the case.
PreconditionerMethod preconditioner_method(const LinearSystemSetup& setup);

/// The inverse of the diagonal.
PreconditionerMethod jacobi_preconditioner(const LinearSystemSetup& setup);
/// The inverses of blocks on the diagonal, of successive rows.
PreconditionerMethod block_jacobi_preconditioner(const LinearSystemSetup& setup);
/// Incomplete factors of the matrix.
PreconditionerMethod ilu_preconditioner(const LinearSystemSetup& setup);
/// A cycle of algebraic multigrid.
PreconditionerMethod amg_preconditioner(const LinearSystemSetup& setup);

}  // namespace quoin
