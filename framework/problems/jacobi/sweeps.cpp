#include "problems/jacobi/sweeps.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "problems/jacobi/multigrid.hpp"
#include "problems/jacobi/source.hpp"
#include "problems/jacobi/stencil.hpp"
#include "problems/jacobi/sweep_kernel.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

Stencil stencil_of(const Grid& grid) { return {grid.dx, grid.dy}; }

/// The weights of the sweeps, over and over.
std::vector<double> weights_of(const JacobiSetup& setup) {
  const Stencil stencil = stencil_of(setup.grid);
  if (setup.method.solver == JacobiSolver::jacobi) return {1.0 / stencil.diagonal};
  const Spectrum spectrum = stencil.spectrum(setup.grid.nx, setup.grid.ny);
  return chebyshev_weights(spectrum, chebyshev_cycle(spectrum));
}

/// The nodes that do not lie next to a side.
Box inner(const Grid& grid) { return {{1, 1, 0}, {grid.nx - 1, grid.ny - 1, 1}, {0, 0, 0}}; }

Field make_field(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, std::int64_t ring) {
  return {executor, setup.grid.nx, setup.grid.ny, ring, setup.method.precision};
}

/// Of the sweep that measures for the variant that has none.
KernelSpec measuring_spec(const JacobiSetup& setup) {
  return {"jacobi_sweeps", setup.method.precision, {{"rhs_array", 1}}};
}

/// The four kernels of AMD's note, each with a launch of its own. The update is in place.
class Classic final : public JacobiSweeps {
 public:
  Classic(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
          KernelTimer& timer)
      : stencil_(stencil_of(setup.grid)),
        weights_(weights_of(setup)),
        norm_(norm),
        u_(make_field(executor, setup, 1)),
        f_(make_field(executor, setup, 0)),
        au_(make_field(executor, setup, 0)),
        r_(make_field(executor, setup, 0)) {
    const Box all = Box::plane(setup.grid.nx, setup.grid.ny);
    const auto make = [&](const char* name, const Box& box) {
      return std::make_unique<TimedKernel>(*executor, KernelSpec{name, setup.method.precision, {}}, box, timer);
    };
    if (inner(setup.grid).points() > 0) laplacian_ = make("jacobi_laplacian", inner(setup.grid));
    boundary_ = make("jacobi_boundary", all);
    update_ = make("jacobi_update", all);
    block_sums_ = make("jacobi_norm", all);
    if (setup.method.stops_on_tolerance)
      measure_.emplace(executor, queue, measuring_spec(setup), all, stencil_, std::span(weights_).first(1), timer);
    f_.upload(queue, [&setup](std::int64_t j, std::span<double> row) { setup.source.row(j, row); });
  }

  void load(Queue& queue, const Field::Fill& /*sides*/, const Field::Fill& iterate) override {
    u_.upload(queue, iterate);
  }

  void launch(Queue& queue, std::int64_t iteration, std::int64_t /*count*/) override {
    const double weight = weights_[static_cast<std::size_t>(iteration - 1) % weights_.size()];
    const std::array apply{u_.argument(),
                           au_.argument(),
                           Argument::real(stencil_.a),
                           Argument::real(stencil_.b),
                           Argument::real(stencil_.diagonal),
                           norm_.control()};
    const std::array update{u_.argument(), f_.argument(),          au_.argument(),
                            r_.argument(), Argument::real(weight), norm_.control()};
    const std::array block_sums{r_.argument(), norm_.partials(), norm_.control()};
    if (laplacian_) laplacian_->launch(queue, apply);
    boundary_->launch(queue, apply);
    update_->launch(queue, update);
    block_sums_->launch(queue, block_sums);
  }

  void settle(Queue& /*queue*/, std::int64_t /*done*/) override {}

  /// Its own kernels would round the iterate's negative zeros to positive ones on the way.
  void measure(Queue& queue) override {
    measure_->launch(queue, {u_, f_.argument(), 0.0, r_, norm_.partials(), norm_.control()}, 0, 1);
  }
  [[nodiscard]] const Field& iterate() const override { return u_; }

 private:
  Stencil stencil_;
  std::vector<double> weights_;
  ResidualNorm& norm_;
  Field u_, f_, au_, r_;
  std::unique_ptr<TimedKernel> laplacian_, boundary_, update_, block_sums_;
  std::optional<SweepKernel> measure_;
};

/// Iterations whose norms one launch finds where a pass is one sweep: the second leaves the result of the first as it
/// is, so a stop at either is exact, and the launch that finds norms costs a GPU half as much.
constexpr std::int64_t single_sweeps = 2;

/// Passes from one field to the other, each of one sweep (fused) or of several (blocked).
class Passes final : public JacobiSweeps {
 public:
  Passes(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
         KernelTimer& timer)
      : norm_(norm),
        u_{make_field(executor, setup, 1), make_field(executor, setup, 1)},
        source_(executor, setup, queue) {
    const KernelSpec spec = sweeps_spec(*executor, setup, !setup.source.constant(), deepest_pass);
    // A pass may start with any weight of the cycle, so the first ones follow the last.
    std::vector<double> weights = weights_of(setup);
    cycle_ = static_cast<std::int64_t>(weights.size());
    for (std::int64_t k = 0; k < spec.constant("depth", 1); ++k)
      weights.push_back(weights[static_cast<std::size_t>(k)]);
    kernel_.emplace(executor, queue, spec, Box::plane(setup.grid.nx, setup.grid.ny), stencil_of(setup.grid), weights,
                    timer);
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    u_[current_].upload(queue, iterate);
    u_[1 - current_].upload(queue, sides);
    launched_.clear();
  }

  void launch(Queue& queue, std::int64_t iteration, std::int64_t count) override {
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t sweeps = std::min(kernel_->depth(), count - done);
      pass(queue, (current_ + launched_.size()) % 2, iteration + done, sweeps, done);
      launched_.push_back({iteration + done, sweeps});
      done += sweeps;
    }
  }

  /// A pass that stopped on its way is done again with fewer sweeps, from its input, which nothing has touched: on the
  /// device all later launches have left everything as it was.
  void settle(Queue& queue, std::int64_t done) override {
    for (const auto& [iteration, count] : launched_) {
      if (done <= 0) break;
      if (done < count) {
        norm_.reset(queue);
        pass(queue, current_, iteration, done, 0);
      }
      done -= count;
      current_ = 1 - current_;
    }
    launched_.clear();
  }

  void measure(Queue& queue) override { pass(queue, current_, 1, 1, 0); }
  [[nodiscard]] const Field& iterate() const override { return u_[current_]; }

 private:
  struct Launched {
    std::int64_t iteration, count;
  };

  /// `sums`: the place of its first block sums.
  void pass(Queue& queue, std::size_t from, std::int64_t iteration, std::int64_t count, std::int64_t sums) {
    kernel_->launch(
        queue, {u_[from], source_.argument(), source_.constant, u_[1 - from], norm_.partials(sums), norm_.control()},
        (iteration - 1) % cycle_, count);
  }

  ResidualNorm& norm_;
  std::array<Field, 2> u_;
  Source source_;
  std::int64_t cycle_ = 1;  // weights until they start again
  std::optional<SweepKernel> kernel_;
  std::size_t current_ = 0;         // the field of the iterate
  std::vector<Launched> launched_;  // passes since it was settled
};

}  // namespace

KernelSpec sweeps_spec(const Executor& executor, const JacobiSetup& setup, bool rhs_array, std::int64_t most) {
  const auto spec = [&](std::int64_t depth) {
    return KernelSpec{"jacobi_sweeps", setup.method.precision, {{"rhs_array", rhs_array ? 1 : 0}, {"depth", depth}}};
  };
  if (setup.method.variant == JacobiVariant::fused) return spec(1);
  for (std::int64_t depth = most; depth > 1; --depth)
    if (executor.supports(spec(depth))) return spec(depth);
  // Returned unsupported where the case insists on it: creating the kernel reports it.
  return spec(setup.method.variant == JacobiVariant::blocked ? 2 : 1);
}

Pass pass_of(const Executor& executor, const JacobiSetup& setup) {
  if (setup.method.solver == JacobiSolver::multigrid) return multigrid_pass(executor, setup);
  if (setup.method.variant == JacobiVariant::classic)
    return {.iterations = 1, .sums = 1, .launches = inner(setup.grid).points() > 0 ? 4U : 3U};
  const std::int64_t depth = sweeps_spec(executor, setup, !setup.source.constant(), deepest_pass).constant("depth", 1);
  if (depth == 1) return {.iterations = single_sweeps, .sums = single_sweeps, .launches = single_sweeps};
  return {.iterations = depth, .sums = depth, .launches = 1};
}

std::vector<KernelSpec> sweeps_kernels(const Executor& executor, const JacobiSetup& setup) {
  const JacobiMethod& method = setup.method;
  if (method.solver == JacobiSolver::multigrid) return multigrid_kernels(executor, setup);
  if (method.variant != JacobiVariant::classic)
    return {sweeps_spec(executor, setup, !setup.source.constant(), deepest_pass)};
  std::vector<KernelSpec> specs;
  for (const char* name : {"jacobi_boundary", "jacobi_update", "jacobi_norm"})
    specs.push_back({name, method.precision, {}});
  if (inner(setup.grid).points() > 0) specs.push_back({"jacobi_laplacian", method.precision, {}});
  if (method.stops_on_tolerance) specs.push_back(measuring_spec(setup));
  return specs;
}

double sweeps_bytes(const JacobiSetup& setup) {
  if (setup.method.solver == JacobiSolver::multigrid) return multigrid_bytes(setup);
  const double field = field_bytes(setup.grid.nx, setup.grid.ny, setup.method.precision);
  const double sums = field / 512.0;  // of a sweep: one value a block
  const JacobiVariant variant = setup.method.variant;
  if (variant == JacobiVariant::classic) return 4.0 * field + sums;
  const std::int64_t deepest = variant == JacobiVariant::fused ? single_sweeps : deepest_pass;
  const auto weights = static_cast<double>(weights_of(setup).size());
  return (setup.source.constant() ? 2.0 : 3.0) * field + static_cast<double>(deepest) * sums + 8.0 * weights;
}

std::unique_ptr<JacobiSweeps> make_sweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                          Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  if (setup.method.solver == JacobiSolver::multigrid) return make_multigrid(executor, setup, queue, norm, timer);
  if (setup.method.variant == JacobiVariant::classic)
    return std::make_unique<Classic>(executor, setup, queue, norm, timer);
  return std::make_unique<Passes>(executor, setup, queue, norm, timer);
}

}  // namespace quoin
