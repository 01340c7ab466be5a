#include "problems/jacobi/scheme/classic_sweeps.hpp"

#include <array>
#include <optional>
#include <span>

#include "problems/jacobi/scheme/bands.hpp"
#include "problems/jacobi/scheme/row_exchange.hpp"
#include "problems/jacobi/scheme/sweep_kernel.hpp"
#include "problems/overlap.hpp"

namespace quoin {
namespace {

/// The nodes of the part that do not lie next to its sides.
Box inner(const JacobiSetup& setup) { return {{1, 1, 0}, {setup.grid.nx - 1, setup.part.rows() - 1, 1}, {0, 0, 0}}; }

Field make_field(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, std::int64_t ring) {
  return {executor, setup.grid.nx, setup.part.rows(), ring, setup.method.precision};
}

/// Of the sweep that measures for the variant that has none.
KernelSpec measuring_spec(const JacobiSetup& setup) {
  return {"jacobi_sweeps", setup.method.precision, {{"rhs_array", 1}}};
}

class ClassicSweeps final : public JacobiSweeps {
 public:
  ClassicSweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks, Queue& queue,
                ResidualNorm& norm, KernelTimer& timer)
      : setup_(setup),
        exchange_(ranks, setup, 1),
        stencil_(Stencil(setup.grid)),
        weights_(cycle_weights(setup)),
        norm_(norm),
        u_(make_field(executor, setup, 1)),
        f_(make_field(executor, setup, 0)),
        au_(make_field(executor, setup, 0)),
        r_(make_field(executor, setup, 0)) {
    const Box all = Box::plane(setup.grid.nx, setup.part.rows());
    const auto make = [&](const char* name, const Box& box) {
      return std::make_unique<TimedKernel>(*executor, KernelSpec{name, setup.method.precision, {}}, box, timer);
    };
    if (inner(setup).points() > 0) laplacian_ = make("jacobi_laplacian", inner(setup));
    boundary_ = make("jacobi_boundary", all);
    update_ = make("jacobi_update", all);
    block_sums_ = make("jacobi_norm", all);
    if (ranks.size() > 1 && overlaps(setup.the_case(), *executor)) beside_.emplace(*executor);
    if (setup.method.stops_on_tolerance)
      measure_.emplace(executor, queue, measuring_spec(setup), all, stencil_, std::span(weights_).first(1), timer);
    f_.upload(queue, [&setup](std::int64_t j, std::span<double> row) { setup.source.row(setup.part.first + j, row); });
  }

  void load(Queue& queue, const Field::Fill& /*sides*/, const Field::Fill& iterate) override {
    u_.upload(queue, iterate);
    exchange_.run(queue, {&u_});
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
    if (setup_.part.rows() == 0) return;
    if (laplacian_) laplacian_->launch(queue, apply);
    boundary_->launch(queue, apply);
    update_->launch(queue, update);
    if (beside_) beside_->begin_after(queue);
    block_sums_->launch(queue, block_sums);  // which does not need the iterate
    exchange_.run(beside_ ? beside_->queue() : queue, {&u_});
    if (beside_) beside_->end_before(queue);
  }

  void settle(Queue& /*queue*/, std::int64_t /*done*/) override {}

  /// Its own kernels would round the iterate's negative zeros to positive ones on the way.
  void measure(Queue& queue) override {
    if (setup_.part.rows() == 0) return;
    measure_->launch(queue, {u_, f_.argument(), 0.0, r_, norm_.partials(), norm_.control()}, {0, 1});
  }
  [[nodiscard]] const Field& iterate() const override { return u_; }

 private:
  const JacobiSetup& setup_;
  RowExchange exchange_;
  Stencil stencil_;
  std::vector<double> weights_;
  ResidualNorm& norm_;
  Field u_, f_, au_, r_;
  std::unique_ptr<TimedKernel> laplacian_, boundary_, update_, block_sums_;
  std::optional<SweepKernel> measure_;
  std::optional<EdgeQueue> beside_;
};

}  // namespace

Pass classic_pass() { return {.iterations = 1, .sums = 1}; }

std::vector<KernelSpec> classic_kernels(const JacobiSetup& setup) {
  const JacobiMethod& method = setup.method;
  std::vector<KernelSpec> specs;
  for (const char* name : {"jacobi_boundary", "jacobi_update", "jacobi_norm"})
    specs.push_back({name, method.precision, {}});
  if (inner(setup).points() > 0) specs.push_back({"jacobi_laplacian", method.precision, {}});
  if (method.stops_on_tolerance) specs.push_back(measuring_spec(setup));
  return specs;
}

double classic_bytes(const JacobiSetup& setup) {
  const double field = field_bytes(setup.grid.nx, setup.grid.ny, setup.method.precision);
  return 4.0 * field + field / 512.0;  // block sums
}

std::unique_ptr<JacobiSweeps> make_classic(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                           Communicator& ranks, Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  return std::make_unique<ClassicSweeps>(executor, setup, ranks, queue, norm, timer);
}

}  // namespace quoin
