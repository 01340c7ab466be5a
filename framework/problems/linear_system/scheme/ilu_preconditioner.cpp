#include <fmt/format.h>

#include <array>

#include "problems/linear_system/scheme/device_matrix.hpp"
#include "problems/linear_system/scheme/preconditioner.hpp"
#include "problems/linear_system/setup/incomplete_factors.hpp"

namespace quoin {
namespace {

IncompleteFactors factors_of(const LinearSystemSetup& setup, const SparseMatrix& a) {
  const bool exact = setup.the_case.text("method.preconditioner.factor") == "exact";
  IncompleteFactors factors =
      exact ? incomplete_factors(a) : incomplete_factors(a, setup.the_case.integer("method.preconditioner.sweeps"));
  if (factors.zero_pivot < 0) return factors;
  throw setup.the_case.error_at("method.preconditioner",
                                fmt::format("the pivot of row {} is zero or not finite: the matrix has no incomplete "
                                            "factors; use block-jacobi or jacobi",
                                            factors.zero_pivot + 1));
}

/// z = (I + U)^-1 D^-1 (I + L)^-1 r, where a triangular system is solved by sweeps of Jacobi's method that start from
/// its right-hand side: elimination would need a launch for each of many levels.
class IluPreconditioner final : public Preconditioner {
 public:
  IluPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system)
      : IluPreconditioner(place, setup, factors_of(setup, system.matrix)) {}

  bool apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& /*partials*/,
             const Argument& control) override {
    solve(queue, lower_, r, y_, control);
    scale_.launch(queue, std::array{inverse_.list(), VectorPlace(y_).list(), VectorPlace(scaled_).list(), control});
    solve(queue, upper_, scaled_, z, control);
    return false;
  }

 private:
  IluPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const IncompleteFactors& factors)
      : sweeps_(setup.the_case.integer("method.preconditioner.solve_sweeps")),
        lower_(place, factors.lower, setup.storage),
        upper_(place, factors.upper, setup.storage),
        inverse_(place, setup.rows),
        y_(place, setup.rows),
        scaled_(place, setup.rows),
        spare_(place, setup.rows),
        scale_(kernel_on_line(place, "relax_start", setup.rows)),
        defect_(kernel_on_line(place, "relax_defect", setup.rows)) {
    inverse_.upload(place.queue, factors.inverse_diagonal);
  }

  /// y = r - N y, so many times; each needs the whole y of the one before, so that two vectors take turns.
  void solve(Queue& queue, DeviceMatrix& triangle, const VectorPlace& r, const VectorPlace& y,
             const Argument& control) {
    VectorPlace from = r;
    for (std::int64_t left = sweeps_; left > 0; --left) {
      const VectorPlace to = left % 2 == 1 ? y : VectorPlace(spare_);  // the last one is y
      triangle.multiply(queue, from, to);
      defect_.launch(queue, std::array{r.list(), to.list(), control});
      from = to;
    }
  }

  std::int64_t sweeps_;
  DeviceMatrix lower_, upper_;
  Vector inverse_, y_, scaled_, spare_;
  TimedKernel scale_, defect_;
};

}  // namespace

PreconditionerMethod ilu_preconditioner(const LinearSystemSetup& setup) {
  const auto sweeps = static_cast<std::size_t>(setup.the_case.integer("method.preconditioner.solve_sweeps"));
  return {.launches = 1 + 2 * sweeps * (1 + most_product_launches),
          .kernels = {"relax_start", "relax_defect"},
          .bytes = 2.0 * matrix_bytes(setup.rows, setup.entries, setup.storage.format, setup.precision) +
                   4.0 * vector_bytes(setup.rows, setup.precision),
          .host = 32.0 * static_cast<double>(setup.entries) + 40.0 * static_cast<double>(setup.rows),
          .make = make_preconditioner<IluPreconditioner>};
}

}  // namespace quoin
