#include "problems/jacobi/scheme/diffusion_multigrid.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "device/upload.hpp"
#include "problems/jacobi/scheme/diffusion_grid.hpp"
#include "problems/jacobi/scheme/diffusion_levels.hpp"
#include "problems/jacobi/scheme/multigrid_grids.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

/// A grid with the fields of a cycle.
struct CycleGrid {
  CycleGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
            const DiffusionLevel& level)
      : down(level.down),
        up(level.up),
        grid(executor, setup, queue, timer, *level.balances),
        u{grid.field(), grid.field()},
        f(grid.field()),
        // In the plane, jacobi_restrict reads the neighbours of what it takes from the ring where sides are joined.
        au(grid.field(grid.z.is_flat() ? 2 : 1)) {
    for (Field* field : {&u[0], &u[1], &f, &au}) field->upload(queue, [](std::int64_t, std::span<double>) {});
  }

  std::vector<double> down, up;
  DiffusionGrid grid;
  std::array<Field, 2> u;
  Field f, au;
  std::size_t current = 0;
};

KernelSpec restrict_of(const JacobiSetup& setup) {
  if (setup.grid.in_space()) return {"cube_restrict", setup.method.precision, {}};
  return {"jacobi_restrict", setup.method.precision, {{"rhs_array", 1}}};
}
KernelSpec prolong_of(const JacobiSetup& setup) {
  return setup.grid.in_space() ? KernelSpec{"cube_prolong", setup.method.precision, {}} : prolong_spec(setup);
}

/// The tables of an interpolation for rows of all planes, in space: of y and of z.
struct RowTables {
  RowTables(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, const Planes& fine,
            const Planes& coarse, const Interpolation& y, const Interpolation& z)
      : down_count(y.count), through_count(z.count), made(coarse.rows()) {
    const auto whole = [&](const std::vector<std::int64_t>& values) {
      return uploaded(executor, queue, std::as_bytes(std::span(values)));
    };
    const auto real = [&](const std::vector<double>& values) {
      return uploaded(executor, queue, in_precision(values, setup.method.precision));
    };
    const auto at = [](const auto& values, std::int64_t k) { return values[static_cast<std::size_t>(k)]; };
    // Up, for each finer row: the coarser one at or before it, and the shares.
    std::vector<std::int64_t> rows(static_cast<std::size_t>(fine.rows()));
    std::vector<double> y_share(rows.size());
    std::vector<double> z_share(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Planes::Place place = fine.place(static_cast<std::int64_t>(row));
      if (!fine.inside(place)) continue;
      rows[row] = coarse.row(at(y.below, place.j), at(z.below, place.k));
      y_share[row] = at(y.share, place.j);
      z_share[row] = at(z.share, place.k);
    }
    below = whole(rows);
    share_of_y = real(y_share);
    share_of_z = real(z_share);
    // Down, for each coarser row: the first finer one, and the weights, of which rows of sides have 0.
    rows.assign(static_cast<std::size_t>(made), 0);
    std::vector<double> y_weights(static_cast<std::size_t>(made * y.count));
    std::vector<double> z_weights(static_cast<std::size_t>(made * z.count));
    for (std::int64_t row = 0; row < made; ++row) {
      const Planes::Place place = coarse.place(row);
      if (!coarse.inside(place)) continue;
      rows[static_cast<std::size_t>(row)] = fine.row(at(y.first, place.j), at(z.first, place.k));
      for (std::int64_t t = 0; t < y.count; ++t)
        y_weights[static_cast<std::size_t>(t * made + row)] = at(y.weights, t * coarse.ny + place.j);
      for (std::int64_t p = 0; p < z.count; ++p)
        z_weights[static_cast<std::size_t>(p * made + row)] = at(z.weights, p * coarse.nz + place.k);
    }
    first = whole(rows);
    weights_of_y = real(y_weights);
    weights_of_z = real(z_weights);
  }

  Buffer<std::byte> below, share_of_y, share_of_z, first, weights_of_y, weights_of_z;
  std::int64_t down_count, through_count, made;
};

/// Between a grid and the next coarser one.
struct CycleStep {
  CycleStep(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
            const DiffusionGrid& fine, const DiffusionGrid& coarse)
      : x(executor, setup, queue, Interpolation(fine.x, coarse.x)),
        down(*executor, restrict_of(setup), coarse.planes.box(), timer),
        up(*executor, prolong_of(setup), fine.planes.box(), timer) {
    const Interpolation along_y(fine.y, coarse.y);
    if (fine.z.is_flat())
      y.emplace(executor, setup, queue, along_y);
    else
      rows.emplace(executor, setup, queue, fine.planes, coarse.planes, along_y, Interpolation(fine.z, coarse.z));
  }

  DeviceInterpolation x;
  std::optional<DeviceInterpolation> y;  // in the plane
  std::optional<RowTables> rows;         // in space
  TimedKernel down, up;
};

class DiffusionMultigrid final : public JacobiSweeps {
 public:
  DiffusionMultigrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                     ResidualNorm& norm, KernelTimer& timer)
      : norm_(norm) {
    std::int64_t most_blocks = 1;
    for (const DiffusionLevel& level : diffusion_levels(setup)) {
      grids_.push_back(std::make_unique<CycleGrid>(executor, setup, queue, timer, level));
      most_blocks = std::max(most_blocks, blocks_of(level.balances->x.count, grids_.back()->grid.planes.rows()));
    }
    for (std::size_t k = 0; k + 1 < grids_.size(); ++k)
      steps_.push_back(
          std::make_unique<CycleStep>(executor, setup, queue, timer, grids_[k]->grid, grids_[k + 1]->grid));
    unread_sums_ =
        Buffer<std::byte>(executor, static_cast<std::size_t>(most_blocks) * element_size(setup.method.precision));
    CycleGrid& finest = *grids_.front();
    finest.grid.upload(queue, finest.f, setup.medium().f);
    finest.grid.wrap(queue, finest.f);
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    CycleGrid& finest = *grids_.front();
    finest.u[0].upload(queue, iterate);
    finest.u[1].upload(queue, sides);
    finest.grid.wrap(queue, finest.u[0]);
    finest.current = settled_ = 0;
  }
  void launch(Queue& queue, std::int64_t iteration, std::int64_t /*count*/) override {
    if (iteration > 1) {
      for (std::size_t k = 0; k < steps_.size(); ++k) descend(queue, k);
      for (std::size_t k = steps_.size(); k-- > 0;) {
        smooth(queue, *grids_[k + 1], grids_[k + 1]->up);
        ascend(queue, k);
      }
    }
    smooth(queue, *grids_.front(), grids_.front()->up);
  }
  /// As in Multigrid: an iteration has an even number of sweeps, so that it ends in the field that it began with.
  void settle(Queue& /*queue*/, std::int64_t /*done*/) override { grids_.front()->current = settled_; }
  void measure(Queue& queue) override { sweep(queue, *grids_.front(), settled_, 1.0, norm_.partials()); }
  [[nodiscard]] const Field& iterate() const override { return grids_.front()->u[settled_]; }

 private:
  void sweep(Queue& queue, CycleGrid& grid, std::size_t from, double weight, const Argument& sums) {
    grid.grid.sweep(queue, grid.u[from], grid.f, grid.u[1 - from], weight, sums, norm_.control());
  }
  /// The norm reads the block sums of the finest grid's first sweep.
  void smooth(Queue& queue, CycleGrid& grid, const std::vector<double>& weights) {
    const Argument unread = Argument::buffer(unread_sums_.memory(), 0, blocks_across(grid.grid.x.count));
    bool read = &grid == grids_.front().get();
    for (const double weight : weights) {
      sweep(queue, grid, grid.current, weight, read ? norm_.partials() : unread);
      read = false;
      grid.current = 1 - grid.current;
    }
  }

  /// The operator of the kernel is made the identity, which leaves f - au; the coarser iterate starts from 0.
  void descend(Queue& queue, std::size_t k) {
    CycleGrid& fine = *grids_[k];
    CycleGrid& coarse = *grids_[k + 1];
    CycleStep& step = *steps_[k];
    smooth(queue, fine, fine.down);
    fine.grid.apply(queue, fine.u[fine.current], fine.au, norm_.control());
    fine.grid.wrap(queue, fine.au);
    coarse.current = 0;
    if (step.rows)
      restrict_in_space(queue, fine, coarse, step);
    else
      step.down.launch(
          queue, std::array{fine.au.argument(), fine.f.argument(), coarse.u[0].argument(), coarse.f.argument(),
                            Argument::buffer(step.x.first.memory()), step.x.weights_argument(),
                            Argument::buffer(step.y->first.memory()), step.y->weights_argument(),
                            Argument::integer(step.x.count), Argument::integer(step.y->count), Argument::real(0.0),
                            Argument::real(0.0), Argument::real(1.0), Argument::real(0.0), Argument::real(0.0),
                            norm_.control()});
    coarse.grid.wrap(queue, coarse.f);
    coarse.grid.wrap(queue, coarse.u[0]);
  }

  /// Adds the iterate of grid k + 1 to that of grid k.
  void ascend(Queue& queue, std::size_t k) {
    CycleGrid& fine = *grids_[k];
    CycleGrid& coarse = *grids_[k + 1];
    CycleStep& step = *steps_[k];
    if (step.rows)
      prolong_in_space(queue, fine, coarse, step);
    else
      step.up.launch(queue, std::array{fine.u[fine.current].argument(), coarse.u[coarse.current].argument(),
                                       Argument::buffer(step.x.below.memory()), Argument::buffer(step.x.share.memory()),
                                       Argument::buffer(step.y->below.memory()),
                                       Argument::buffer(step.y->share.memory()), norm_.control()});
    fine.grid.wrap(queue, fine.u[fine.current]);
  }

  void restrict_in_space(Queue& queue, CycleGrid& fine, CycleGrid& coarse, CycleStep& step) {
    RowTables& rows = *step.rows;
    step.down.launch(queue, std::array{fine.f.argument(), fine.au.argument(), coarse.u[0].argument(),
                                       coarse.f.argument(), Argument::buffer(step.x.first.memory()),
                                       step.x.weights_argument(), Argument::buffer(rows.first.memory()),
                                       Argument::buffer(rows.weights_of_y.memory(), 0, rows.made),
                                       Argument::buffer(rows.weights_of_z.memory(), 0, rows.made),
                                       Argument::integer(step.x.count), Argument::integer(rows.down_count),
                                       Argument::integer(rows.through_count), fine.grid.apart(), norm_.control()});
  }
  void prolong_in_space(Queue& queue, CycleGrid& fine, CycleGrid& coarse, CycleStep& step) {
    RowTables& rows = *step.rows;
    step.up.launch(queue, std::array{fine.u[fine.current].argument(), coarse.u[coarse.current].argument(),
                                     Argument::buffer(step.x.below.memory()), Argument::buffer(step.x.share.memory()),
                                     Argument::buffer(rows.below.memory()), Argument::buffer(rows.share_of_y.memory()),
                                     Argument::buffer(rows.share_of_z.memory()), fine.grid.inside(),
                                     coarse.grid.apart(), norm_.control()});
  }

  ResidualNorm& norm_;
  std::vector<std::unique_ptr<CycleGrid>> grids_;  // from the finest on
  std::vector<std::unique_ptr<CycleStep>> steps_;  // between each and the next
  Buffer<std::byte> unread_sums_;
  std::size_t settled_ = 0;
};

}  // namespace

std::vector<KernelSpec> cycle_kernels(const JacobiSetup& setup) { return {restrict_of(setup), prolong_of(setup)}; }

std::unique_ptr<JacobiSweeps> make_diffusion_multigrid(const std::shared_ptr<Executor>& executor,
                                                       const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
                                                       KernelTimer& timer) {
  return std::make_unique<DiffusionMultigrid>(executor, setup, queue, norm, timer);
}

}  // namespace quoin
