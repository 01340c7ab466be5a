#include "problems/jacobi/multigrid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "problems/jacobi/coarsening.hpp"
#include "problems/jacobi/source.hpp"
#include "problems/jacobi/sweep_kernel.hpp"
#include "problems/precision.hpp"
#include "problems/upload.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

Box box_of(const Level& level) { return Box::plane(level.nx, level.ny); }

/// The sweeps of a level: of a smoothing two in one pass, and half of a coarsest grid's, so that every cycle leaves the
/// iterate of the finest grid in the field where it found it.
KernelSpec spec_of(const Executor& executor, const JacobiSetup& setup, const Level& level, bool finest) {
  const auto sweeps = static_cast<std::int64_t>(level.weights.size());
  return sweeps_spec(executor, setup, !finest || !setup.source.constant(), sweeps == 2 ? 2 : sweeps / 2);
}

/// Sweeps of a pass: a power of two, so that the passes of a cycle are even in number whatever the device can hold.
std::int64_t sweeps_of_pass(const KernelSpec& spec) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(spec.constant("depth", 1))));
}

/// An interpolation's tables on the device.
struct Tables {
  Tables(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
         const Interpolation& on_host)
      : below(uploaded(executor, queue, std::as_bytes(std::span(on_host.below)))),
        share(uploaded(executor, queue, in_precision(on_host.share, setup.method.precision))),
        first(uploaded(executor, queue, std::as_bytes(std::span(on_host.first)))),
        weights(uploaded(executor, queue, in_precision(on_host.weights, setup.method.precision))),
        coarse(static_cast<std::int64_t>(on_host.first.size())),
        count(on_host.count) {}
  Argument weights_argument() { return Argument::buffer(weights.memory(), 0, coarse); }
  Buffer<std::byte> below, share, first, weights;
  std::int64_t coarse, count;
};

/// A grid on the device: the iterate, or away from the finest the correction of the next finer one, whose sides are 0.
struct DeviceGrid {
  DeviceGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
             const Level& on_host, bool finest)
      : level(on_host),
        spec(spec_of(*executor, setup, level, finest)),
        u{Field(executor, level.nx, level.ny, 1, setup.method.precision),
          Field(executor, level.nx, level.ny, 1, setup.method.precision)},
        sweeps(executor, queue, spec, box_of(level), level.stencil, level.weights, timer) {
    if (finest) return;
    f = std::make_unique<Field>(executor, level.nx, level.ny, 0, setup.method.precision);
    for (Field& field : u) field.upload(queue, [](std::int64_t, std::span<double>) {});
  }
  Level level;
  KernelSpec spec;
  std::array<Field, 2> u;
  std::unique_ptr<Field> f;  // of the finest it is the case's
  SweepKernel sweeps;
  std::size_t current = 0;  // the field of the iterate
};

/// Between a grid and the next coarser one.
struct Step {
  Step(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
       const DeviceGrid& fine, const DeviceGrid& coarse)
      : x(executor, setup, queue, Interpolation(fine.level.nx, coarse.level.nx)),
        y(executor, setup, queue, Interpolation(fine.level.ny, coarse.level.ny)),
        down(*executor, {"jacobi_restrict", setup.method.precision, {fine.spec.constants.front()}},
             box_of(coarse.level), timer),
        up(*executor, {"jacobi_prolong", setup.method.precision, {}}, box_of(fine.level), timer) {}
  Tables x, y;
  TimedKernel down, up;
};

class Multigrid final : public JacobiSweeps {
 public:
  Multigrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
            KernelTimer& timer)
      : precision_(setup.method.precision), norm_(norm), source_(executor, setup, queue) {
    std::int64_t most_sums = 0;
    for (const Level& level : multigrid_levels(setup.grid)) {
      grids_.push_back(std::make_unique<DeviceGrid>(executor, setup, queue, timer, level, grids_.empty()));
      most_sums = std::max(most_sums, grids_.back()->sweeps.depth() * blocks_of(level.nx, level.ny));
    }
    for (std::size_t k = 0; k + 1 < grids_.size(); ++k)
      steps_.push_back(std::make_unique<Step>(executor, setup, queue, timer, *grids_[k], *grids_[k + 1]));
    unread_sums_ = Buffer<std::byte>(executor, static_cast<std::size_t>(most_sums) * element_size(precision_));
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    grids_.front()->u[0].upload(queue, iterate);
    grids_.front()->u[1].upload(queue, sides);
  }

  void launch(Queue& queue, std::int64_t /*iteration*/, std::int64_t /*count*/) override {
    for (std::size_t k = 0; k < grids_.size(); ++k) {
      if (k > 0) descend(queue, k - 1);
      sweep(queue, *grids_[k], k == 0 ? 0 : 1, k == 0);
    }
    for (std::size_t k = steps_.size(); k-- > 0;) {
      ascend(queue, k);
      sweep(queue, *grids_[k], 0, false);
    }
  }

  void settle(Queue& /*queue*/, std::int64_t /*done*/) override {}
  [[nodiscard]] const Field& iterate() const override { return grids_.front()->u[0]; }

 private:
  /// The sweeps of a grid from number `first` on: a restriction does the one before. The norm reads `keep_sums`.
  void sweep(Queue& queue, DeviceGrid& grid, std::int64_t first, bool keep_sums) {
    const auto sweeps = static_cast<std::int64_t>(grid.level.weights.size());
    const std::int64_t most = sweeps_of_pass(grid.spec);
    const Argument unread = Argument::buffer(unread_sums_.memory(), 0, blocks_across(grid.level.nx));
    for (std::int64_t s = first; s < sweeps; s += most) {
      const std::int64_t count = std::min(most, sweeps - s);
      grid.sweeps.launch(
          queue,
          {grid.u[grid.current], grid.f ? grid.f->argument() : source_.argument(), source_.constant,
           grid.u[1 - grid.current], keep_sums && s == first ? norm_.partials() : unread, norm_.control()},
          s, count);
      grid.current = 1 - grid.current;
    }
  }

  /// The residual of grid k becomes the right-hand side of the next, whose iterate starts with one sweep from zero.
  void descend(Queue& queue, std::size_t k) {
    DeviceGrid& fine = *grids_[k];
    DeviceGrid& coarse = *grids_[k + 1];
    Step& step = *steps_[k];
    coarse.current = 0;
    const std::array arguments{fine.u[fine.current].argument(),
                               fine.f ? fine.f->argument() : source_.argument(),
                               coarse.u[0].argument(),
                               coarse.f->argument(),
                               Argument::buffer(step.x.first.memory()),
                               step.x.weights_argument(),
                               Argument::buffer(step.y.first.memory()),
                               step.y.weights_argument(),
                               Argument::integer(step.x.count),
                               Argument::integer(step.y.count),
                               Argument::real(fine.level.stencil.a),
                               Argument::real(fine.level.stencil.b),
                               Argument::real(fine.level.stencil.diagonal),
                               Argument::real(source_.constant),
                               Argument::real(coarse.level.weights.front()),
                               norm_.control()};
    step.down.launch(queue, arguments);
  }

  /// Adds the iterate of grid k + 1 to that of grid k.
  void ascend(Queue& queue, std::size_t k) {
    DeviceGrid& fine = *grids_[k];
    DeviceGrid& coarse = *grids_[k + 1];
    Step& step = *steps_[k];
    const std::array arguments{fine.u[fine.current].argument(),
                               coarse.u[coarse.current].argument(),
                               Argument::buffer(step.x.below.memory()),
                               Argument::buffer(step.x.share.memory()),
                               Argument::buffer(step.y.below.memory()),
                               Argument::buffer(step.y.share.memory()),
                               norm_.control()};
    step.up.launch(queue, arguments);
  }

  Precision precision_;
  ResidualNorm& norm_;
  Source source_;
  std::vector<std::unique_ptr<DeviceGrid>> grids_;  // from the finest on
  std::vector<std::unique_ptr<Step>> steps_;        // between each and the next
  Buffer<std::byte> unread_sums_;                   // block sums that nobody asks for
};

}  // namespace

Pass multigrid_pass(const Executor& executor, const JacobiSetup& setup) {
  const std::vector<Level> levels = multigrid_levels(setup.grid);
  Pass pass{.iterations = 1, .sums = 1, .launches = 0};
  for (const Level& level : levels) {
    const bool finest = &level == &levels.front();
    const bool coarsest = &level == &levels.back();
    const std::int64_t depth = sweeps_of_pass(spec_of(executor, setup, level, finest));
    const auto passes = [depth](std::int64_t sweeps) { return static_cast<std::size_t>((sweeps + depth - 1) / depth); };
    const auto sweeps = static_cast<std::int64_t>(level.weights.size());
    pass.launches += passes(finest ? sweeps : sweeps - 1);
    if (!coarsest) pass.launches += passes(sweeps) + 2;  // to the coarser grid and back
    if (finest) pass.sums = depth;
  }
  return pass;
}

double multigrid_bytes(const JacobiSetup& setup) {
  const auto size = static_cast<double>(element_size(setup.method.precision));
  double bytes = 0.0;
  const std::vector<Level> levels = multigrid_levels(setup.grid);
  for (const Level& level : levels) {
    const double field = field_bytes(level.nx, level.ny, setup.method.precision);
    const bool number = &level == &levels.front() && setup.source.constant();
    bytes += (number ? 2.0 : 3.0) * field;
    // An index and a share for each column and row, and as much again for the coarser ones.
    if (&level != &levels.back()) bytes += 2.0 * (8.0 + 2.0 * size) * static_cast<double>(level.nx + level.ny);
  }
  return bytes + 4.0 * field_bytes(setup.grid.nx, setup.grid.ny, setup.method.precision) / 512.0;  // block sums
}

std::unique_ptr<JacobiSweeps> make_multigrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                             Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  return std::make_unique<Multigrid>(executor, setup, queue, norm, timer);
}

}  // namespace quoin
