#include "problems/dgcvs/scheme/predict_start.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "problems/dgcvs/scheme/cell_points.hpp"
#include "problems/dgcvs/scheme/kept_cells.hpp"
#include "problems/dgcvs/scheme/predictor.hpp"
#include "problems/dgcvs/scheme/shore.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

/// What water over a bed is where it ends; for one thread.
class ShoreStart {
 public:
  ShoreStart(const DgSetup& setup, const LevelArrays& cells, const std::vector<double>& kept)
      : setup_(setup),
        kept_(setup, cells, kept),
        bed_(setup.bed()),
        basis_(static_cast<std::size_t>(dgcvs_basis(setup.method.order))),
        space_(static_cast<std::size_t>(dgcvs_space(setup.method.order))) {
    if (kept_.none()) formula_.emplace(setup.initial());
  }

  /// The bed's own heights.
  [[nodiscard]] const Bed& bed() const { return bed_; }

  /// Makes the polynomials of a cell level where its water ends: then they have no more to do with the predictor.
  /// Returns whether it did.
  bool settle(const CellFrame& cell, std::int64_t lane, std::vector<double>& c) const {
    const std::vector<BottomPoint> points = bottom(cell, lane, c);
    if (!at_shore(points)) return false;
    const LevelWater level = level_water(points, setup_.law);
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      std::fill_n(&c[v * basis_], basis_, 0.0);
      c[v * basis_] = level.constants.at(v);
    }
    return true;
  }

 private:
  /// By the formula, or by the polynomials.
  [[nodiscard]] std::vector<BottomPoint> bottom(const CellFrame& cell, std::int64_t lane,
                                                const std::vector<double>& c) const {
    const GaussRule rule = gauss_rule(setup_.method.order + 1);
    std::vector<BottomPoint> all;
    std::vector<Point> places;
    std::vector<double> phi(space_);
    for (const auto& corners : cell.shape->corners) {
      visit_quad(corners, rule, [&](Point at, double weight) {
        places.push_back({cell.centre.x + cell.length * at.x, cell.centre.y + cell.length * at.y});
        State& state = all.emplace_back(BottomPoint{weight, {}}).state;
        if (formula_) return;
        spatial_monomials(setup_.method.order, at.x, at.y, phi.data());
        for (std::size_t v = 0; v < setup_.law.size(); ++v)
          state.at(v) = std::inner_product(phi.begin(), phi.end(), &c[v * basis_], 0.0);
      });
    }
    std::vector<double> heights(places.size());
    bed_.at(places, heights);
    std::vector<State> states(places.size());
    if (formula_) formula_->at(places, 0.0, states);
    const bool level = !kept_.none() && kept_.level(lane);
    for (std::size_t k = 0; k < all.size(); ++k) {
      State& state = all[k].state;
      if (formula_) state = states[k];
      if (level) {
        for (const std::size_t v : {1, 2}) state[v] = kept_(v * basis_, lane);
        state[shore_place] = 1.0;
      }
      state = setup_.law.over(state, heights[k]);
    }
    return all;
  }

  const DgSetup& setup_;
  KeptCells kept_;
  std::optional<StateFormula> formula_;
  Bed bed_;
  std::size_t basis_, space_;
};

/// The start in time of cells, as many at a time as the predictor takes; for one thread.
class TimeStart {
 public:
  TimeStart(const DgSetup& setup, const LevelArrays& cells, double tau, const std::vector<double>& kept,
            std::span<double> all)
      : setup_(setup),
        cells_(cells),
        tau_(tau),
        predictor_(setup, tau),
        frame_(setup, cells),
        points_(setup),
        unknowns_(static_cast<std::size_t>(setup.unknowns())),
        stride_(static_cast<std::size_t>(cells.lanes.stride)),
        all_(all) {
    if (setup.law.has_bed()) shore_.emplace(setup, cells, kept);
  }

  void operator()(const Part& lanes) {
    for (std::int64_t lane = lanes.first; lane < lanes.last; ++lane) {
      CellFrame cell = frame_.of(lane);
      const bool alike = frames_.empty() || frames_.front().shape->corners.size() == cell.shape->corners.size();
      if (!alike || frames_.size() == Predictor::lanes) predict(lane);
      std::vector<double>& c = c_[frames_.size()];
      c.resize(unknowns_);
      for (std::size_t n = 0; n < unknowns_; ++n) c[n] = all_[n * stride_ + static_cast<std::size_t>(lane)];
      if (shore_) add_bed(cell, lane, c);
      frames_.push_back(std::move(cell));
    }
    predict(lanes.last);
  }

 private:
  /// Behind the coefficients, the bed's in space.
  void add_bed(const CellFrame& cell, std::int64_t lane, std::vector<double>& c) {
    points_.go_to(cell, cells_.lanes.entity(lane));
    heights_.resize(points_.points().size());
    shore_->bed().at(points_.points(), heights_);
    c.resize(unknowns_ + static_cast<std::size_t>(dgcvs_space(setup_.method.order)));
    points_.project(cell, heights_.data(), &c[unknowns_]);
  }

  /// Those at hand, which end before that lane.
  void predict(std::int64_t behind) {
    if (frames_.empty()) return;
    std::array<std::vector<double>, Predictor::lanes> level;  // which the predictor leaves alone
    const std::size_t first = static_cast<std::size_t>(behind) - frames_.size();
    for (std::size_t k = 0; shore_ && k < frames_.size(); ++k)
      if (shore_->settle(frames_[k], static_cast<std::int64_t>(first + k), c_[k])) level[k] = c_[k];
    predictor_.predict(frames_, c_);
    for (std::size_t k = 0; shore_ && k < frames_.size(); ++k) {
      if (!level[k].empty()) c_[k] = level[k];
      const std::array<double, 2> more = kept_water(setup_, cells_, first + k, tau_, !level[k].empty(), c_[k]);
      for (std::size_t n = 0; n < more.size(); ++n) all_[(unknowns_ + n) * stride_ + first + k] = more.at(n);
    }
    for (std::size_t n = 0; n < unknowns_; ++n)
      for (std::size_t k = 0; k < frames_.size(); ++k) all_[n * stride_ + first + k] = c_[k][n];
    frames_.clear();
  }

  const DgSetup& setup_;
  const LevelArrays& cells_;
  double tau_;
  std::optional<ShoreStart> shore_;  // over a bed
  Predictor predictor_;
  CellFrames frame_;
  CellPoints points_;
  std::size_t unknowns_, stride_;
  std::span<double> all_;
  std::vector<CellFrame> frames_;  // of the cells at hand, whose lanes are neighbours
  std::array<std::vector<double>, Predictor::lanes> c_;
  std::vector<double> heights_;
};

}  // namespace

void predict_start(const DgSetup& setup, const LevelArrays& cells, double tau, const std::vector<double>& kept,
                   std::span<double> coefficients) {
  parallel_shares(cells.lanes.stride, [&] { return TimeStart(setup, cells, tau, kept, coefficients); });
}

}  // namespace quoin
