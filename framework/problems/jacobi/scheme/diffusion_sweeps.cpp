#include "problems/jacobi/scheme/diffusion_sweeps.hpp"

#include <array>

#include "problems/jacobi/scheme/diffusion_grid.hpp"
#include "problems/jacobi/scheme/diffusion_multigrid.hpp"
#include "problems/jacobi/scheme/row_passes.hpp"
#include "problems/jacobi/scheme/stencil.hpp"
#include "problems/jacobi/scheme/sweep_kernel.hpp"
#include "quoin/pass_limits.hpp"

namespace quoin {
namespace {

/// As where a pass of the constant operator is one sweep: the second leaves the result of the first as it is, so a stop
/// at either is exact.
constexpr std::int64_t sweeps_between_norms = 2;

double weight_of(const std::vector<double>& weights, std::int64_t iteration) {
  return weights[static_cast<std::size_t>(iteration - 1) % weights.size()];
}

class FusedDiffusion final : public JacobiSweeps {
 public:
  FusedDiffusion(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
                 KernelTimer& timer)
      : norm_(norm),
        weights_(diffusion_weights(setup)),
        grid_(diffusion_grid(executor, setup, queue, timer)),
        u_{grid_->field(), grid_->field()},
        f_(grid_->field()) {
    upload_source(setup, queue, *grid_, f_);
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    u_[current_].upload(queue, iterate);
    u_[1 - current_].upload(queue, sides);
    grid_->wrap(queue, u_[current_]);
    launched_ = 0;
  }
  void launch(Queue& queue, std::int64_t iteration, std::int64_t count) override {
    for (std::int64_t k = 0; k < count; ++k) {
      sweep(queue, (current_ + launched_) % 2, weight_of(weights_, iteration + k), k);
      ++launched_;
    }
  }
  void settle(Queue& /*queue*/, std::int64_t done) override {
    current_ = (current_ + static_cast<std::size_t>(done)) % 2;
    launched_ = 0;
  }
  void measure(Queue& queue) override { sweep(queue, current_, weights_.front(), 0); }
  [[nodiscard]] const Field& iterate() const override { return u_[current_]; }

 private:
  void sweep(Queue& queue, std::size_t from, double weight, std::int64_t sums) {
    grid_->sweep(queue, u_[from], f_, u_[1 - from], weight, norm_.partials(sums), norm_.control());
  }

  ResidualNorm& norm_;
  std::vector<double> weights_;
  std::unique_ptr<DiffusionGrid> grid_;
  std::array<Field, 2> u_;
  Field f_;
  std::size_t current_ = 0, launched_ = 0;
};

class ClassicDiffusion final : public JacobiSweeps {
 public:
  ClassicDiffusion(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                   ResidualNorm& norm, KernelTimer& timer)
      : norm_(norm),
        weights_(diffusion_weights(setup)),
        grid_(diffusion_grid(executor, setup, queue, timer)),
        u_(grid_->field()),
        f_(grid_->field()),
        au_(grid_->field()),
        r_(grid_->field()),
        block_sums_(*executor, {"jacobi_norm", setup.method.precision, {}}, setup.planes().box(), timer) {
    upload_source(setup, queue, *grid_, f_);
  }

  void load(Queue& queue, const Field::Fill& /*sides*/, const Field::Fill& iterate) override {
    u_.upload(queue, iterate);
    grid_->wrap(queue, u_);
  }
  void launch(Queue& queue, std::int64_t iteration, std::int64_t /*count*/) override {
    grid_->apply(queue, u_, au_, norm_.control());
    grid_->update(queue, u_, f_, au_, r_, weight_of(weights_, iteration), norm_.control());
    block_sums_.launch(queue, std::array{r_.argument(), norm_.partials(), norm_.control()});
  }
  void settle(Queue& /*queue*/, std::int64_t /*done*/) override {}
  void measure(Queue& queue) override {
    grid_->sweep(queue, u_, f_, r_, weights_.front(), norm_.partials(), norm_.control());
  }
  [[nodiscard]] const Field& iterate() const override { return u_; }

 private:
  ResidualNorm& norm_;
  std::vector<double> weights_;
  std::unique_ptr<DiffusionGrid> grid_;
  Field u_, f_, au_, r_;
  TimedKernel block_sums_;
};

bool is_classic(const JacobiSetup& setup) { return setup.method.variant == JacobiVariant::classic; }
bool by_multigrid(const JacobiSetup& setup) { return setup.method.solver == JacobiSolver::multigrid; }

}  // namespace

std::unique_ptr<DiffusionGrid> diffusion_grid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                              Queue& queue, KernelTimer& timer) {
  if (setup.beyond_poisson)
    return std::make_unique<DiffusionGrid>(executor, setup, queue, timer, setup.medium().balances);
  return std::make_unique<DiffusionGrid>(executor, setup, queue, timer);
}

void upload_source(const JacobiSetup& setup, Queue& queue, DiffusionGrid& grid, Field& f) {
  if (setup.beyond_poisson)
    grid.upload(queue, f, setup.medium().f);
  else
    grid.upload(queue, f, [&setup](std::int64_t number, std::span<double> row) { setup.source.row(number, row); });
}

std::vector<double> diffusion_weights(const JacobiSetup& setup) {
  if (!setup.beyond_poisson) return cycle_weights(setup);
  const Medium& medium = setup.medium();
  const Spectrum& spectrum = medium.bounds.jacobi;
  if (setup.method.solver == JacobiSolver::chebyshev) return chebyshev_weights(spectrum, chebyshev_cycle(spectrum));
  // Where no value is known, weights of 1 would leave a chequerboard as it is for ever.
  return {medium.balances.floating() ? 2.0 / (spectrum.least + spectrum.most) : 1.0};
}

Pass diffusion_pass(const Executor& executor, const JacobiSetup& setup) {
  if (const std::int64_t depth = row_pass_depth(executor, setup); depth > 1)
    return {.iterations = depth, .sums = depth};
  const std::int64_t sweeps = by_multigrid(setup) || is_classic(setup) ? 1 : sweeps_between_norms;
  return {.iterations = sweeps, .sums = sweeps};
}

std::vector<KernelSpec> diffusion_kernels(const Executor& executor, const JacobiSetup& setup) {
  std::vector<KernelSpec> specs = diffusion_grid_kernels(setup);
  if (const std::int64_t depth = row_pass_depth(executor, setup); depth > 1)
    specs.push_back(row_pass_spec(setup, depth));
  if (by_multigrid(setup)) {
    for (const KernelSpec& spec : cycle_kernels(setup)) specs.push_back(spec);
  } else if (is_classic(setup)) {
    specs.push_back({"jacobi_norm", setup.method.precision, {}});
  }
  return specs;
}

double diffusion_bytes(const JacobiSetup& setup) {
  const Planes planes = setup.planes();
  const double field = field_bytes(setup.grid.nx, planes.rows() + 2 * planes.ghosts, setup.method.precision);
  const double sums = static_cast<double>(deepest_row_pass) * field / 512.0;
  const double coefficients = !setup.beyond_poisson ? 0.0 : setup.grid.in_space() ? 4.0 : 3.0;
  constexpr double all_levels = 1.5;
  if (by_multigrid(setup)) return all_levels * (4.0 + coefficients) * field + sums;
  return ((is_classic(setup) ? 4.0 : 3.0) + coefficients) * field + sums;
}

std::unique_ptr<JacobiSweeps> make_diffusion(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                             Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  if (by_multigrid(setup)) return make_diffusion_multigrid(executor, setup, queue, norm, timer);
  if (row_pass_depth(*executor, setup) > 1) return make_row_passes(executor, setup, queue, norm, timer);
  if (is_classic(setup)) return std::make_unique<ClassicDiffusion>(executor, setup, queue, norm, timer);
  return std::make_unique<FusedDiffusion>(executor, setup, queue, norm, timer);
}

}  // namespace quoin
