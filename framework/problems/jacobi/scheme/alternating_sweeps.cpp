#include "problems/jacobi/scheme/alternating_sweeps.hpp"

#include <algorithm>
#include <array>
#include <optional>

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

class AlternatingSweeps final : public JacobiSweeps {
 public:
  AlternatingSweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks,
                    Queue& queue, ResidualNorm& norm, KernelTimer& timer)
      : setup_(setup),
        norm_(norm),
        depth_(common_depth(*executor, setup, ranks)),
        exchange_(ranks, setup, depth_),
        u_{field_of(executor, setup, ghost_rows(ranks)), field_of(executor, setup, ghost_rows(ranks))},
        source_(executor, setup, queue, ghost_rows(ranks) - 1) {
    const KernelSpec spec = spec_of(*executor, setup);
    // A pass may start with any weight of the cycle, so the first ones follow the last.
    std::vector<double> weights = cycle_weights(setup);
    cycle_ = static_cast<std::int64_t>(weights.size());
    for (std::int64_t k = 0; k < spec.constant("depth", 1); ++k)
      weights.push_back(weights[static_cast<std::size_t>(k)]);
    kernel_.emplace(executor, queue, spec, Box::plane(setup.grid.nx, setup.part.rows()), Stencil(setup.grid), weights,
                    timer);
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    u_[current_].upload(queue, iterate);
    u_[1 - current_].upload(queue, sides);
    exchange_.run(queue, {&u_[current_]});
    launched_.clear();
  }

  void launch(Queue& queue, std::int64_t iteration, std::int64_t count) override {
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t sweeps = std::min(depth_, count - done);
      const std::size_t from = (current_ + launched_.size()) % 2;
      pass(queue, from, {iteration + done, sweeps}, done);
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
        pass(queue, current_, {iteration, done}, 0);
      }
      done -= count;
      current_ = 1 - current_;
    }
    launched_.clear();
  }

  void measure(Queue& queue) override {
    sweep(queue, current_, {1, 1}, 0, [](Queue& /*edge*/) {});
  }
  [[nodiscard]] const Field& iterate() const override { return u_[current_]; }

 private:
  struct Launched {
    std::int64_t iteration, count;
  };

  /// A pass, and the ghosts of its result. `sums`: the place of its first block sums.
  void pass(Queue& queue, std::size_t from, const Launched& sweeps, std::int64_t sums) {
    sweep(queue, from, sweeps, sums, [&](Queue& edge) { exchange_.run(edge, {&u_[1 - from]}); });
  }

  /// Calls finish(queue of the edges) where those are under way, beside the inner part if there are any.
  template <class Finish>
  void sweep(Queue& queue, std::size_t from, const Launched& sweeps, std::int64_t sums, const Finish& finish) {
    EdgeQueue* const edge = norm_.edge();
    if (edge != nullptr) {
      edge->begin_after(queue);
      launch_edges(edge->queue(), from, sweeps, sums);
    }
    launch_inner(queue, from, sweeps, sums);
    finish(edge != nullptr ? edge->queue() : queue);
    if (edge != nullptr) edge->end_before(queue);
  }

  void launch_edges(Queue& queue, std::size_t from, const Launched& sweeps, std::int64_t sums) {
    const Bands& bands = norm_.bands();
    for (std::size_t band = 0; band < bands.rows.size(); ++band)
      if (band != bands.inner)
        kernel_->launch_beside(queue, box(band), data(from, sums, band), weighted(sweeps), beyond(band));
  }
  void launch_inner(Queue& queue, std::size_t from, const Launched& sweeps, std::int64_t sums) {
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
  [[nodiscard]] SweepKernel::Sweeps weighted(const Launched& sweeps) const {
    return {(sweeps.iteration - 1) % cycle_, sweeps.count};
  }
  [[nodiscard]] SweepKernel::Beyond beyond(std::size_t band) const {
    const Strip& rows = norm_.bands().rows[band];
    return {setup_.part.first + rows.first, setup_.grid.ny - setup_.part.first - rows.last};
  }
  /// One rank alone has the ring of side values.
  [[nodiscard]] std::int64_t ghost_rows(const Communicator& ranks) const { return ranks.size() > 1 ? depth_ : 1; }

  const JacobiSetup& setup_;
  ResidualNorm& norm_;
  std::int64_t depth_;  // most sweeps of a pass
  RowExchange exchange_;
  std::array<Field, 2> u_;
  Source source_;
  std::int64_t cycle_ = 1;  // weights until they start again
  std::optional<SweepKernel> kernel_;
  std::size_t current_ = 0;         // the field of the iterate
  std::vector<Launched> launched_;  // passes since it was settled
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
  return std::make_unique<AlternatingSweeps>(executor, setup, ranks, queue, norm, timer);
}

}  // namespace quoin
