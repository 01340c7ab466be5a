#include "problems/jacobi/scheme/alternating_sweeps.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "problems/jacobi/scheme/passes_in_turn.hpp"
#include "problems/jacobi/scheme/row_exchange.hpp"
#include "problems/jacobi/scheme/source.hpp"
#include "problems/jacobi/scheme/sweep_kernel.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// Iterations whose norms one launch finds where a pass is one sweep: the second leaves the result of the first as it
/// is, so a stop at either is exact, and the launch that finds norms costs a GPU half as much.
constexpr std::int64_t single_sweeps = 2;

KernelSpec spec_of(const Executor& executor, const JacobiSetup& setup) {
  return sweeps_spec(executor, setup, !setup.source.constant(), deepest_pass);
}

Field field_of(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, std::int64_t ghost_rows) {
  return {executor, setup.grid.nx, setup.part.rows(), 1, setup.method.precision, ghost_rows};
}

/// Sweeps of a pass that the devices of all ranks can hold.
std::int64_t common_depth(const Executor& executor, const JacobiSetup& setup, Communicator& ranks) {
  return least_of(ranks, spec_of(executor, setup).constant("depth", 1));
}

class AlternatingSweeps final : public PassesInTurn {
 public:
  AlternatingSweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks,
                    Queue& queue, ResidualNorm& norm, KernelTimer& timer, std::int64_t depth)
      : PassesInTurn(
            norm, depth,
            {field_of(executor, setup, ghosts(ranks, depth)), field_of(executor, setup, ghosts(ranks, depth))}),
        setup_(setup),
        exchange_(ranks, setup, depth),
        source_(executor, setup, queue, ghosts(ranks, depth) - 1) {
    kernel_.emplace(executor, queue, spec_of(*executor, setup), Box::plane(setup.grid.nx, setup.part.rows()),
                    Stencil(setup.grid), repeated(cycle_weights(setup)), timer);
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    PassesInTurn::load(queue, sides, iterate);
    exchange_.run(queue, {&current()});
  }

 private:
  /// With the ghosts of its result.
  void pass(Queue& queue, std::size_t from, const Sweeps& sweeps, std::int64_t sums) override {
    sweep(queue, from, sweeps, sums, [&](Queue& edge) { exchange_.run(edge, {&u_[1 - from]}); });
  }
  void measure_of(Queue& queue, std::size_t from) override {
    sweep(queue, from, {1, 1}, 0, [](Queue& /*edge*/) {});
  }

  /// Calls finish(queue of the edges) where those are under way, beside the inner part if there are any.
  template <class Finish>
  void sweep(Queue& queue, std::size_t from, const Sweeps& sweeps, std::int64_t sums, const Finish& finish) {
    EdgeQueue* const edge = norm_.edge();
    if (edge != nullptr) {
      edge->begin_after(queue);
      launch_edges(edge->queue(), from, sweeps, sums);
    }
    launch_inner(queue, from, sweeps, sums);
    finish(edge != nullptr ? edge->queue() : queue);
    if (edge != nullptr) edge->end_before(queue);
  }

  void launch_edges(Queue& queue, std::size_t from, const Sweeps& sweeps, std::int64_t sums) {
    const Bands& bands = norm_.bands();
    for (std::size_t band = 0; band < bands.rows.size(); ++band)
      if (band != bands.inner)
        kernel_->launch_beside(queue, box(band), data(from, sums, band), weighted(sweeps), beyond(band));
  }
  void launch_inner(Queue& queue, std::size_t from, const Sweeps& sweeps, std::int64_t sums) {
    if (setup_.part.rows() == 0) return;
    const std::size_t band = norm_.bands().inner;
    kernel_->launch(queue, box(band), data(from, sums, band), weighted(sweeps), beyond(band));
  }

  [[nodiscard]] Box box(std::size_t band) const {
    const Strip& rows = norm_.bands().rows[band];
    return {{0, rows.first, 0}, {setup_.grid.nx, rows.last, 1}, {0, 0, 0}};
  }
  SweepKernel::Data data(std::size_t from, std::int64_t sums, std::size_t band) {
    return {u_[from], source_.argument(), source_.constant, u_[1 - from], norm_.partials(sums, band), norm_.control()};
  }
  [[nodiscard]] SweepKernel::Sweeps weighted(const Sweeps& sweeps) const {
    return {first_weight(sweeps), sweeps.count};
  }
  [[nodiscard]] SweepKernel::Beyond beyond(std::size_t band) const {
    const Strip& rows = norm_.bands().rows[band];
    return {setup_.part.first + rows.first, setup_.grid.ny - setup_.part.first - rows.last};
  }
  /// One rank alone has the ring of side values.
  static std::int64_t ghosts(const Communicator& ranks, std::int64_t depth) { return ranks.size() > 1 ? depth : 1; }

  const JacobiSetup& setup_;
  RowExchange exchange_;
  Source source_;
  std::optional<SweepKernel> kernel_;
};

}  // namespace

Pass alternating_pass(const Executor& executor, const JacobiSetup& setup, Communicator& ranks) {
  const std::int64_t depth = common_depth(executor, setup, ranks);
  if (depth == 1) return {.iterations = single_sweeps, .sums = single_sweeps};
  return {.iterations = depth, .sums = depth};
}

std::vector<KernelSpec> alternating_kernels(const Executor& executor, const JacobiSetup& setup) {
  return {spec_of(executor, setup)};
}

double alternating_bytes(const JacobiSetup& setup) {
  const double field = field_bytes(setup.grid.nx, setup.grid.ny, setup.method.precision);
  const double sums = field / 512.0;  // of a sweep: one value a block
  const std::int64_t deepest = setup.method.variant == JacobiVariant::fused ? single_sweeps : deepest_pass;
  const auto weights = static_cast<double>(cycle_weights(setup).size());
  return (setup.source.constant() ? 2.0 : 3.0) * field + static_cast<double>(deepest) * sums + 8.0 * weights;
}

std::unique_ptr<JacobiSweeps> make_alternating(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                               Communicator& ranks, Queue& queue, ResidualNorm& norm,
                                               KernelTimer& timer) {
  const std::int64_t depth = common_depth(*executor, setup, ranks);
  return std::make_unique<AlternatingSweeps>(executor, setup, ranks, queue, norm, timer, depth);
}

}  // namespace quoin
