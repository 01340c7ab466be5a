#include "problems/jacobi/scheme/row_passes.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "device/upload.hpp"
#include "problems/jacobi/scheme/diffusion_grid.hpp"
#include "problems/jacobi/scheme/diffusion_sweeps.hpp"
#include "problems/jacobi/scheme/passes_in_turn.hpp"
#include "quoin/pass_limits.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

class RowPasses final : public PassesInTurn {
 public:
  RowPasses(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
            KernelTimer& timer, const KernelSpec& spec)
      : PassesInTurn(norm, spec.constant("depth", 1), {field_of(executor, setup), field_of(executor, setup)}),
        grid_(diffusion_grid(executor, setup, queue, timer)),
        f_(grid_->field()),
        kernel_(*executor, spec, grid_->planes.box(), timer) {
    weight_bytes_ = element_size(setup.method.precision);
    weights_ = uploaded(executor, queue, in_precision(repeated(diffusion_weights(setup)), setup.method.precision));
    upload_source(setup, queue, *grid_, f_);
  }

 private:
  static Field field_of(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup) {
    return setup.planes().field(executor, 1, setup.method.precision);
  }

  void pass(Queue& queue, std::size_t from, const Sweeps& sweeps, std::int64_t sums) override {
    std::vector<Argument> arguments = grid_->sweep_arguments(u_[from], f_, u_[1 - from], norm_.partials(sums));
    const auto first = static_cast<std::size_t>(first_weight(sweeps));
    for (const Argument& argument :
         {Argument::buffer(weights_.memory(), first * weight_bytes_), Argument::integer(sweeps.count), norm_.control()})
      arguments.push_back(argument);
    const auto count = static_cast<double>(sweeps.count);
    kernel_.launch(queue, arguments, count / static_cast<double>(depth_), count);
  }
  void measure_of(Queue& queue, std::size_t from) override { pass(queue, from, {1, 1}, 0); }

  std::unique_ptr<DiffusionGrid> grid_;
  Field f_;
  TimedKernel kernel_;
  std::size_t weight_bytes_ = 0;
  Buffer<std::byte> weights_;
};

/// Arrays that a sweep reads and writes, the iterates among them.
double arrays_of(const JacobiSetup& setup) {
  return 2.0 + static_cast<double>(row_pass_arrays(setup.beyond_poisson, setup.grid.in_space()));
}

/// Whether a pass of one sweep finds all of its arrays in the caches, where it is the faster one.
bool stays_in_caches(const JacobiSetup& setup) {
  constexpr double caches = 16.0 * 1024 * 1024;  // bytes
  const Planes planes = setup.planes();
  const double nodes = static_cast<double>(planes.nx) * static_cast<double>(planes.rows());
  return arrays_of(setup) * nodes * static_cast<double>(element_size(setup.method.precision)) < caches;
}

/// Sweeps whose rows a core's share of the caches holds: what a sweep keeps for the next, and what both read of the
/// equations.
std::int64_t fitting_sweeps(const JacobiSetup& setup) {
  constexpr double columns = 176.0;  // of a tile of 128, with what lies beside it
  const Planes planes = setup.planes();
  const double apart = planes.nz > 1 ? static_cast<double>(planes.apart) : 4.0;  // rows from a sweep to the next
  const double bytes = arrays_of(setup) * apart * columns * static_cast<double>(element_size(setup.method.precision));
  return static_cast<std::int64_t>(
      std::clamp(1.0 + static_cast<double>(row_pass_cache) / bytes, 2.0, static_cast<double>(deepest_row_pass)));
}

}  // namespace

KernelSpec row_pass_spec(const JacobiSetup& setup, std::int64_t depth) {
  const char* name = !setup.grid.in_space() ? "diffusion_sweeps"
                     : setup.beyond_poisson ? "cube_flow_sweeps"
                                            : "cube_sweeps";
  return {name, setup.method.precision, {{"depth", depth}}};
}

std::int64_t row_pass_depth(const Executor& executor, const JacobiSetup& setup) {
  const JacobiVariant variant = setup.method.variant;
  const bool wanted = variant == JacobiVariant::blocked || variant == JacobiVariant::fastest;
  if (!wanted || setup.method.solver == JacobiSolver::multigrid || setup.grid.joins_sides()) return 1;
  if (variant == JacobiVariant::fastest && stays_in_caches(setup)) return 1;
  for (std::int64_t depth = fitting_sweeps(setup); depth > 1; --depth)
    if (executor.supports(row_pass_spec(setup, depth))) return depth;
  // Where the case insists on it, creating the kernel reports that there is none.
  return variant == JacobiVariant::blocked ? 2 : 1;
}

std::unique_ptr<JacobiSweeps> make_row_passes(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                              Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  const KernelSpec spec = row_pass_spec(setup, row_pass_depth(*executor, setup));
  return std::make_unique<RowPasses>(executor, setup, queue, norm, timer, spec);
}

}  // namespace quoin
