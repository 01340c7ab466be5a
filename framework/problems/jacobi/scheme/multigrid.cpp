#include "problems/jacobi/scheme/multigrid.hpp"

#include <algorithm>
#include <array>

#include "problems/jacobi/scheme/multigrid_grids.hpp"
#include "problems/jacobi/scheme/source.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

std::size_t passes_of(std::int64_t sweeps, std::int64_t depth) {
  return static_cast<std::size_t>((sweeps + depth - 1) / depth);
}

class Multigrid final : public JacobiSweeps {
 public:
  Multigrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks, Queue& queue,
            ResidualNorm& norm, KernelTimer& timer)
      : precision_(setup.method.precision),
        norm_(norm),
        source_(executor, setup, queue, ranks.size() > 1 ? most_ghost_rows : 0) {
    const std::vector<Level> levels = multigrid_levels(setup.grid);
    const std::vector<LevelPart> parts = level_parts(levels, ranks);
    std::int64_t max_sums = 1;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      grids_.push_back(std::make_unique<DeviceGrid>(executor, setup, ranks, queue, timer, levels[k], parts[k], k == 0));
      max_sums = std::max(max_sums, grids_[k]->sweeps.depth() * blocks_of(levels[k].nx, parts[k].rows.rows()));
    }
    for (std::size_t k = 0; k + 1 < grids_.size(); ++k)
      steps_.push_back(std::make_unique<GridStep>(executor, setup, ranks, queue, timer, *grids_[k], *grids_[k + 1]));
    unread_sums_ = Buffer<std::byte>(executor, static_cast<std::size_t>(max_sums) * element_size(precision_));
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    grids_.front()->u[0].upload(queue, iterate);
    grids_.front()->u[1].upload(queue, sides);
    grids_.front()->fetch_ghosts(queue, {&grids_.front()->u[0]});
    grids_.front()->current = settled_ = 0;
  }

  void launch(Queue& queue, std::int64_t iteration, std::int64_t /*count*/) override {
    if (iteration > 1) {
      for (std::size_t k = 0; k < steps_.size(); ++k) descend(queue, k);
      for (std::size_t k = steps_.size(); k-- > 0;) {
        smooth(queue, *grids_[k + 1]);
        ascend(queue, k);
      }
    }
    smooth(queue, *grids_.front());
  }

  /// Behind a stop the device has done nothing, so that the iterate is where the last iteration that counts left it.
  void settle(Queue& /*queue*/, std::int64_t done) override {
    DeviceGrid& finest = *grids_.front();
    const std::size_t passes = passes_of(sweeps_of(finest.level, true), finest.depth);
    settled_ = (settled_ + static_cast<std::size_t>(done) * passes) % 2;
    finest.current = settled_;
  }
  void measure(Queue& queue) override {
    DeviceGrid& finest = *grids_.front();
    pass(queue, finest, settled_, norm_.partials(), 0, 1);
  }
  [[nodiscard]] const Field& iterate() const override { return grids_.front()->u[settled_]; }

 private:
  /// The sweeps of a grid, but for what a restriction has done. The norm reads the block sums of the finest's first
  /// pass.
  void smooth(Queue& queue, DeviceGrid& grid) {
    const Argument unread = Argument::buffer(unread_sums_.memory(), 0, blocks_across(grid.level.nx));
    const auto sweeps = static_cast<std::int64_t>(grid.level.weights.size());
    for (std::int64_t s = first_sweep(!grid.f); s < sweeps; s += grid.depth) {
      pass(queue, grid, grid.current, s == 0 ? norm_.partials() : unread, s, std::min(grid.depth, sweeps - s));
      grid.current = 1 - grid.current;
      grid.fetch_ghosts(queue, {&grid.u[grid.current]});
    }
  }

  /// Sweeps from one of a grid's fields to the other.
  void pass(Queue& queue, DeviceGrid& grid, std::size_t from, const Argument& sums, std::int64_t first,
            std::int64_t count) {
    const Strip& rows = grid.part.rows;
    if (rows.rows() == 0) return;
    grid.sweeps.launch(queue,
                       {grid.u[from], grid.f ? grid.f->argument() : source_.argument(), source_.constant,
                        grid.u[1 - from], sums, norm_.control()},
                       {first, count}, {rows.first, grid.level.ny - rows.last});
  }

  /// The residual of grid k becomes the right-hand side of the next, whose iterate starts with one sweep from zero.
  void descend(Queue& queue, std::size_t k) {
    DeviceGrid& fine = *grids_[k];
    DeviceGrid& coarse = *grids_[k + 1];
    GridStep& step = *steps_[k];
    coarse.current = 0;
    const std::array arguments{fine.u[fine.current].argument(),
                               fine.f ? fine.f->argument() : source_.argument(),
                               made_rows(coarse.u[0], step),
                               made_rows(*coarse.f, step),
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
    if (coarse.part.made.rows() > 0) step.down.launch(queue, arguments);
    step.complete(queue, coarse, {coarse.f.get(), &coarse.u[0]});
  }
  [[nodiscard]] Argument made_rows(Field& field, const GridStep& step) const {
    Argument rows = field.argument();
    rows.offset += static_cast<std::size_t>(step.first_made * rows.pitch) * element_size(precision_);
    return rows;
  }

  /// Adds the iterate of grid k + 1 to that of grid k.
  void ascend(Queue& queue, std::size_t k) {
    DeviceGrid& fine = *grids_[k];
    DeviceGrid& coarse = *grids_[k + 1];
    GridStep& step = *steps_[k];
    const std::array arguments{fine.u[fine.current].argument(),
                               coarse.u[coarse.current].argument(),
                               Argument::buffer(step.x.below.memory()),
                               Argument::buffer(step.x.share.memory()),
                               Argument::buffer(step.y.below.memory()),
                               Argument::buffer(step.y.share.memory()),
                               norm_.control()};
    if (fine.part.rows.rows() > 0) step.up.launch(queue, arguments);
    fine.fetch_ghosts(queue, {&fine.u[fine.current]});
  }

  Precision precision_;
  ResidualNorm& norm_;
  Source source_;
  std::vector<std::unique_ptr<DeviceGrid>> grids_;  // from the finest on
  std::vector<std::unique_ptr<GridStep>> steps_;    // between each and the next
  Buffer<std::byte> unread_sums_;                   // block sums that nobody asks for
  std::size_t settled_ = 0;                         // of the finest grid's fields the one of the last settled iteration
};

}  // namespace

Pass multigrid_pass(const Executor& executor, const JacobiSetup& setup, Communicator& ranks) {
  const std::vector<Level> levels = multigrid_levels(setup.grid);
  Pass pass{.iterations = 1, .sums = 1};
  for (const Level& level : levels) {
    const bool finest = &level == &levels.front();
    const std::int64_t depth = least_of(ranks, smoothing_spec(executor, setup, level, finest).constant("depth", 1));
    if (finest) pass.sums = depth;
  }
  return pass;
}

std::vector<KernelSpec> multigrid_kernels(const Executor& executor, const JacobiSetup& setup) {
  const std::vector<Level> levels = multigrid_levels(setup.grid);
  std::vector<KernelSpec> specs;
  for (const Level& level : levels) {
    specs.push_back(smoothing_spec(executor, setup, level, &level == &levels.front()));
    if (&level != &levels.back()) specs.push_back(restrict_spec(setup, specs.back()));
  }
  if (levels.size() > 1) specs.push_back(prolong_spec(setup));
  return specs;
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
  return bytes + 8.0 * field_bytes(setup.grid.nx, setup.grid.ny, setup.method.precision) / 512.0;  // block sums
}

std::unique_ptr<JacobiSweeps> make_multigrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                             Communicator& ranks, Queue& queue, ResidualNorm& norm,
                                             KernelTimer& timer) {
  return std::make_unique<Multigrid>(executor, setup, ranks, queue, norm, timer);
}

}  // namespace quoin
