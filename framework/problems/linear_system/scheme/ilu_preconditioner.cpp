#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "problems/linear_system/scheme/device_matrix.hpp"
#include "problems/linear_system/scheme/preconditioner.hpp"
#include "problems/linear_system/scheme/triangular_solver.hpp"
#include "problems/linear_system/setup/incomplete_factors.hpp"

namespace quoin {
namespace {

/// The row of each entry.
std::vector<std::int32_t> rows_of_entries(const SparseMatrix& a) {
  std::vector<std::int32_t> rows;
  rows.reserve(a.column.size());
  for (std::int64_t row = 0; row < a.rows; ++row)
    rows.resize(static_cast<std::size_t>(a.at[static_cast<std::size_t>(row) + 1]), static_cast<std::int32_t>(row));
  return rows;
}

/// By so many sweeps over all entries, each of which takes those of the sweep before: as many as elimination has levels
/// give its factors. E. Chow, A. Patel, Fine-grained parallel incomplete LU factorization, SIAM J. Sci. Comput. 37
/// (2015) C169-C193, whose sweeps take what is newest and so depend on the device.
std::vector<double> swept(const DevicePlace& place, const SparseMatrix& a, std::int64_t sweeps) {
  const KernelSpec spec{"ilu_sweep", place.precision, {}};
  require_kernel(*place.executor, spec);
  const std::unique_ptr<Kernel> kernel = place.executor->kernel(spec);
  Buffer<std::int64_t> at = uploaded(place, a.at);
  Buffer<std::int32_t> column = uploaded(place, std::vector<std::int32_t>(a.column.begin(), a.column.end()));
  Buffer<std::int32_t> row = uploaded(place, rows_of_entries(a));
  Buffer<std::byte> value = uploaded(place, in_precision(a.value, place.precision));
  Buffer<std::byte> known = uploaded(place, in_precision(before_sweeps(a, place.precision), place.precision));
  Buffer<std::byte> made(place.executor, known.size());
  for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
    kernel->launch(
        place.queue, Box::line(a.entries()),
        std::array{Argument::buffer(at.memory()), Argument::buffer(column.memory()), Argument::buffer(row.memory()),
                   Argument::buffer(value.memory()), Argument::buffer(known.memory()), Argument::buffer(made.memory()),
                   Argument::integer(a.rows), Argument::integer(a.entries())});
    std::swap(known, made);
  }
  std::vector<std::byte> entries(known.size());
  known.download(place.queue, entries);
  return from_precision(entries, place.precision);
}

IncompleteFactors factors_of(const DevicePlace& place, const LinearSystemSetup& setup, const SparseMatrix& a) {
  const bool exact = setup.the_case.text("method.preconditioner.factor") == "exact";
  const std::vector<double> entries =
      exact ? eliminated(a, setup.precision) : swept(place, a, setup.the_case.integer("method.preconditioner.sweeps"));
  IncompleteFactors factors = factors_of(a, entries, setup.precision);
  if (factors.zero_pivot < 0) return factors;
  throw setup.the_case.error_at("method.preconditioner",
                                fmt::format("the pivot of row {} is zero or not finite: the matrix has no incomplete "
                                            "factors; use block-jacobi or jacobi",
                                            factors.zero_pivot + 1));
}

bool by_levels(const LinearSystemSetup& setup) {
  return setup.the_case.text("method.preconditioner.solve") == "levels";
}

std::unique_ptr<TriangularSolver> solver_of(const DevicePlace& place, const LinearSystemSetup& setup,
                                            const SparseMatrix& n) {
  if (by_levels(setup)) return solver_by_levels(place, n);
  return solver_by_sweeps(place, n, setup.storage, setup.the_case.integer("method.preconditioner.solve_sweeps"));
}

/// z = (I + U)^-1 D^-1 (I + L)^-1 r
class IluPreconditioner final : public Preconditioner {
 public:
  IluPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system)
      : IluPreconditioner(place, setup, factors_of(place, setup, system.matrix)) {}

  bool apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& /*partials*/,
             const Argument& control) override {
    lower_->solve(queue, r, y_, control);
    scale_.launch(queue, std::array{inverse_.list(), VectorPlace(y_).list(), VectorPlace(scaled_).list(), control});
    upper_->solve(queue, scaled_, z, control);
    return false;
  }
  [[nodiscard]] std::vector<Figure> figures() const override {
    return {{"preconditioner.steps", lower_->steps() + upper_->steps()}};
  }

 private:
  IluPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const IncompleteFactors& factors)
      : lower_(solver_of(place, setup, factors.lower)),
        upper_(solver_of(place, setup, factors.upper)),
        inverse_(place, setup.rows),
        y_(place, setup.rows),
        scaled_(place, setup.rows),
        scale_(kernel_on_line(place, "relax_start", setup.rows)) {
    inverse_.upload(place.queue, factors.inverse_diagonal);
  }

  std::unique_ptr<TriangularSolver> lower_, upper_;
  Vector inverse_, y_, scaled_;
  TimedKernel scale_;
};

}  // namespace

PreconditionerMethod ilu_preconditioner(const LinearSystemSetup& setup) {
  const auto rows = static_cast<double>(setup.rows);
  const auto entries = static_cast<double>(setup.entries);
  const auto size = static_cast<double>(element_size(setup.precision));
  const bool levels = by_levels(setup);
  const auto sweeps =
      levels ? std::size_t{1} : static_cast<std::size_t>(setup.the_case.integer("method.preconditioner.solve_sweeps"));
  const double triangles = levels
                               ? entries * (size + 4.0) + rows * (2.0 * size + 24.0) + entries / 16.0 * size
                               : 2.0 * matrix_bytes(setup.rows, setup.entries, setup.storage.format, setup.precision);
  const double sweeping = entries * (3.0 * size + 8.0) + rows * 8.0;  // before there are triangles
  return {.launches = levels ? 3 : 1 + 2 * sweeps * (1 + most_product_launches),
          .kernels = {"ilu_sweep", "relax_start", levels ? "ilu_level" : "relax_defect"},
          .bytes = std::max(triangles, sweeping) + 5.0 * vector_bytes(setup.rows, setup.precision),
          .host = 64.0 * entries + 60.0 * rows,
          .alone = true,
          .make = make_preconditioner<IluPreconditioner>};
}

}  // namespace quoin
