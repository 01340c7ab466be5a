#include "problems/dgcvs/scheme/start_in_space.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/cell_points.hpp"
#include "problems/dgcvs/scheme/kept_cells.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// The start in space of cells; for one thread.
class SpaceStart {
 public:
  /// `mutex`: of what it tells is largest.
  SpaceStart(const DgSetup& setup, const LevelArrays& cells, const std::vector<double>& kept,
             std::span<double> coefficients, Largest& largest, std::mutex& mutex)
      : setup_(setup),
        cells_(cells),
        kept_(setup, cells, kept),
        frames_(setup, cells),
        points_(setup),
        basis_(static_cast<std::size_t>(dgcvs_basis(setup.method.order))),
        space_(static_cast<std::size_t>(dgcvs_space(setup.method.order))),
        c_(setup.law.size() * space_),
        coefficients_(coefficients),
        largest_(largest),
        mutex_(mutex) {
    if (kept_.none())
      formula_.emplace(setup.initial());
    else if (setup.law.has_bed())
      bed_.emplace(setup.bed());
  }

  void operator()(const Part& lanes) {
    Largest largest;
    for (std::int64_t lane = lanes.first; lane < lanes.last; ++lane) {
      const CellFrame cell = frames_.of(lane);
      points_.go_to(cell, cells_.lanes.entity(lane));
      rows_.resize(setup_.law.rows() * points_.points().size());
      formula_ ? project(cell) : take_kept(lane);
      largest.see(setup_.law, rows_, points_.points().size());
      for (std::size_t v = 0; v < setup_.law.size(); ++v)
        for (std::size_t m = 0; m < space_; ++m)
          coefficients_[(v * basis_ + m) * static_cast<std::size_t>(cells_.lanes.stride) +
                        static_cast<std::size_t>(lane)] = c_[v * space_ + m];
    }
    const std::lock_guard lock(mutex_);
    largest_.see(largest);
  }

 private:
  void project(const CellFrame& cell) {
    formula_->rows_at(points_.points(), 0.0, rows_);
    for (std::size_t v = 0; v < setup_.law.size(); ++v)
      points_.project(cell, &rows_[v * points_.points().size()], &c_[v * space_]);
    if (setup_.law.law() != Law::shallow_water || setup_.limiter != Limiter::always) return;
    if (undershoots(std::ranges::min(std::span(rows_).first(points_.gauss_points())))) flatten(cell);
  }

  void take_kept(std::int64_t lane) {
    for (std::size_t v = 0; v < setup_.law.size(); ++v)
      for (std::size_t m = 0; m < space_; ++m) c_[v * space_ + m] = kept_(v * basis_ + m, lane);
    look_at_kept(lane);
    if (!kept_.level(lane)) return;
    for (const std::size_t v : {1, 2}) c_[v * space_] *= kept_(static_cast<std::size_t>(setup_.unknowns()) + 1, lane);
  }
  void look_at_kept(std::int64_t lane) {
    const std::vector<Point>& points = points_.points();
    heights_.resize(points.size());
    if (bed_) bed_->at(points, heights_);
    for (std::size_t k = 0; k < points.size(); ++k) {
      State state{};
      for (std::size_t v = 0; v < setup_.law.size(); ++v)
        state[v] = std::inner_product(&c_[v * space_], &c_[v * space_] + space_, points_.phi(k).begin(), 0.0);
      if (bed_) {
        state[shore_place] = kept_.shore(lane);
        state = setup_.law.over(state, heights_[k]);
      }
      if (const std::string objection = setup_.law.objection(state); !objection.empty())
        throw setup_.the_case().error_at("problem.initial.from", objection + " at " + describe(points[k]));
      for (std::size_t n = 0; n < setup_.law.rows(); ++n) rows_[n * points.size() + k] = state.at(n);
    }
  }

  /// Whether a projected depth falls far below `lowest`, the least of the formula, as it does where the cell has a
  /// jump.
  [[nodiscard]] bool undershoots(double lowest) const {
    const auto end = c_.begin() + static_cast<std::ptrdiff_t>(space_);
    for (std::size_t k = 0; k < points_.points().size(); ++k)
      if (std::inner_product(c_.begin(), end, points_.phi(k).begin(), 0.0) < lowest / 2) return true;
    return false;
  }

  /// Leaves the means alone.
  void flatten(const CellFrame& cell) {
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      double* own = &c_[v * space_];
      const double mean =
          std::inner_product(own, own + space_, cell.shape->moments.begin(), 0.0) / cell.shape->moments[0];
      std::fill(own, own + space_, 0.0);
      own[0] = mean;
    }
  }

  const DgSetup& setup_;
  const LevelArrays& cells_;
  KeptCells kept_;
  std::optional<StateFormula> formula_;
  std::optional<Bed> bed_;  // under what is kept; the formula knows its own
  CellFrames frames_;
  CellPoints points_;
  std::size_t basis_, space_;
  std::vector<double> c_;     // of the cell at hand, spatial members of each variable
  std::vector<double> rows_;  // of the states at its points, as StateFormula has them
  std::vector<double> heights_;
  std::span<double> coefficients_;
  Largest& largest_;
  std::mutex& mutex_;
};

}  // namespace

Largest start_in_space(const DgSetup& setup, const LevelArrays& cells, const std::vector<double>& kept,
                       std::span<double> coefficients) {
  Largest largest;
  std::mutex mutex;
  parallel_shares(cells.lanes.stride, [&] { return SpaceStart(setup, cells, kept, coefficients, largest, mutex); });
  return largest;
}

FirstLook look_first(const DgSetup& setup) {
  FirstLook look{.outside = largest_outside(setup)};
  if (starts_from_fields(setup.the_case())) return look;
  const LevelArrays& cells = look.arrays.emplace(setup, EntityKind::cells);
  resize_cleared(look.cells, static_cast<std::size_t>(setup.values() * cells.lanes.stride));
  look.in_cells = start_in_space(setup, cells, {}, look.cells);
  return look;
}

Prospect FirstLook::prospect(const DgSetup& setup) const {
  Largest all = outside;
  all.see(in_cells);
  return prospect_of(setup, *one_process(), all);
}

}  // namespace quoin
