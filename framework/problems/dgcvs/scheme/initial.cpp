#include "problems/dgcvs/scheme/initial.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "base/wide.hpp"
#include "problems/dgcvs/scheme/predictor.hpp"
#include "problems/dgcvs/scheme/shore.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

/// In place: the inverse factor of a Gram matrix, and its transpose, applied to a vector of n values.
void apply_inverse(const std::vector<double>& factor, std::size_t n, double* values) {
  for (std::size_t row = n; row-- > 0;) {
    double sum = 0.0;
    for (std::size_t m = 0; m <= row; ++m) sum += factor[row * (row + 1) / 2 + m] * values[m];
    values[row] = sum;
  }
  for (std::size_t m = 0; m < n; ++m) {
    double sum = 0.0;
    for (std::size_t row = m; row < n; ++row) sum += factor[row * (row + 1) / 2 + m] * values[row];
    values[m] = sum;
  }
}

/// Of up to order 4, which has 15; 0 behind those of the order.
using Monomials = std::array<double, 16>;

/// The sums of values * phi.
QUOIN_WIDE Monomials moments_of(const std::vector<double>& values, const std::vector<Monomials>& phi) {
  using Vector [[gnu::vector_size(sizeof(Monomials) / 2)]] = double;
  Vector first{};
  Vector second{};
  for (std::size_t k = 0; k < values.size(); ++k) {
    Vector at_point;
    std::memcpy(&at_point, phi[k].data(), sizeof at_point);
    first += values[k] * at_point;
    std::memcpy(&at_point, phi[k].data() + 8, sizeof at_point);
    second += values[k] * at_point;
  }
  Monomials moments;
  std::memcpy(moments.data(), &first, sizeof first);
  std::memcpy(moments.data() + 8, &second, sizeof second);
  return moments;
}

/// The start of one cell after another in space; for one thread.
class CellStart {
 public:
  CellStart(const DgSetup& setup, const LevelArrays& cells, const std::vector<double>& kept)
      : setup_(setup),
        cells_(cells),
        all_(all_of(setup.staggered.cells, setup.method.entities)),
        kept_(kept),
        members_(basis_members(setup.method.order)),
        space_(static_cast<std::size_t>(dgcvs_space(setup.method.order))),
        rule_(gauss_rule(setup.method.order + 3)) {
    if (kept.empty()) formula_.emplace(setup.initial());
    if (setup.law.has_bed()) bed_.emplace(setup.bed());
  }

  /// Adds to c, which is 0, variables * basis coefficients of the cell in a lane; those with a power of s stay 0.
  /// Behind them come those of the bed in space, where there is one.
  void add_coefficients(const CellFrame& cell, std::int64_t lane, std::vector<double>& c) const {
    if (formula_)
      project(cell, c);
    else
      take_kept(lane, c);
    if (bed_) add_bed(cell, c);
  }

  /// Makes the polynomials of a cell over a bed level where its water ends: then they have no more to do with the
  /// predictor. Returns whether it did.
  bool settle(const CellFrame& cell, std::int64_t lane, std::vector<double>& c) const {
    const std::vector<BottomPoint> points = bottom(cell, lane, c);
    if (!at_shore(points)) return false;
    const LevelWater level = level_water(points, setup_.law);
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      std::fill_n(&c[v * members_.size()], members_.size(), 0.0);
      c[v * members_.size()] = level.constants.at(v);
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
        spatial_monomials(setup_.method.order, at.x, at.y, phi);
        for (std::size_t v = 0; v < setup_.law.size(); ++v)
          state.at(v) = std::inner_product(phi.begin(), phi.end(), &c[v * members_.size()], 0.0);
      });
    }
    std::vector<double> heights(places.size());
    bed_->at(places, heights);
    std::vector<State> states(places.size());
    if (formula_) formula_->at(places, 0.0, states);
    const bool level = kept_level(lane);
    for (std::size_t k = 0; k < all.size(); ++k) {
      State& state = all[k].state;
      if (formula_) state = states[k];
      if (level) {
        for (const std::size_t v : {1, 2}) state[v] = kept(v * members_.size(), lane);
        state[shore_place] = 1.0;
      }
      state = setup_.law.over(state, heights[k]);
    }
    return all;
  }

  void take_kept(std::int64_t lane, std::vector<double>& c) const {
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      for (std::size_t m = 0; m < space_; ++m) {
        const std::size_t n = v * members_.size() + m;
        c[n] = kept(n, lane);
      }
    }
    if (!kept_level(lane)) return;
    for (const std::size_t v : {1, 2})
      c[v * members_.size()] *= kept(static_cast<std::size_t>(setup_.unknowns()) + 1, lane);
  }
  /// Whether it then has velocity in place of momentum.
  [[nodiscard]] bool kept_level(std::int64_t lane) const {
    return !formula_ && setup_.law.has_bed() && kept(static_cast<std::size_t>(setup_.unknowns()), lane) > 0.0;
  }
  [[nodiscard]] double kept(std::size_t n, std::int64_t lane) const {
    return kept_[n * static_cast<std::size_t>(all_.stride) +
                 static_cast<std::size_t>(all_.of(cells_.lanes.entity(lane)))];
  }

  void add_bed(const CellFrame& cell, std::vector<double>& c) const {
    place(cell);
    weighted_.resize(points_.size());
    bed_->at(points_, weighted_);
    for (std::size_t k = 0; k < samples_.size(); ++k) weighted_[k] *= samples_[k].weight;
    const Monomials moments = moments_of(weighted_, phi_);
    c.insert(c.end(), moments.begin(), moments.begin() + static_cast<std::ptrdiff_t>(space_));
    apply_inverse(cell.shape->factor, space_, &c[c.size() - space_]);
  }

  /// The cell's points in the plane.
  void place(const CellFrame& cell) const {
    sample(cell);
    points_.resize(samples_.size());
    std::ranges::transform(samples_, points_.begin(), [&](const Sample& sample) {
      return Point{cell.centre.x + cell.length * sample.at.x, cell.centre.y + cell.length * sample.at.y};
    });
  }

  void project(const CellFrame& cell, std::vector<double>& c) const {
    place(cell);
    states_.resize(points_.size());
    formula_->at(points_, 0.0, states_);
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      weighted_.resize(samples_.size());
      for (std::size_t k = 0; k < samples_.size(); ++k) weighted_[k] = samples_[k].weight * states_[k][v];
      const Monomials moments = moments_of(weighted_, phi_);
      std::copy_n(moments.begin(), space_, &c[v * members_.size()]);
      apply_inverse(cell.shape->factor, space_, &c[v * members_.size()]);
    }
    if (setup_.law.law() != Law::shallow_water || setup_.limiter != Limiter::always) return;
    const auto depth = [](const State& state) { return state[0]; };
    if (undershoots(cell, c, std::ranges::min(states_, {}, depth)[0])) flatten(cell, c);
  }

  /// The Gauss points of the cell's shape, and the monomials there.
  void sample(const CellFrame& cell) const {
    if (cell.shape == sampled_) return;
    sampled_ = cell.shape;
    samples_.clear();
    for (const auto& corners : cell.shape->corners)
      visit_quad(corners, rule_, [&](Point at, double weight) { samples_.push_back({at, weight}); });
    phi_.assign(samples_.size(), {});
    for (std::size_t k = 0; k < samples_.size(); ++k)
      spatial_monomials(setup_.method.order, samples_[k].at.x, samples_[k].at.y, phi_[k]);
  }

  /// Whether a projected depth falls far below `lowest`, the least of the formula, as it does where the cell has a
  /// jump.
  [[nodiscard]] bool undershoots(const CellFrame& cell, const std::vector<double>& c, double lowest) const {
    bool low = false;
    std::vector<double> phi(space_);
    const auto look = [&](Point at) {
      spatial_monomials(setup_.method.order, at.x, at.y, phi);
      low = low || std::inner_product(phi.begin(), phi.end(), c.begin(), 0.0) < lowest / 2;
    };
    for (const auto& corners : cell.shape->corners) {
      for (const Point& corner : corners) look(corner);
      visit_quad(corners, rule_, [&](Point at, double) { look(at); });
    }
    return low;
  }

  /// Leaves the means alone.
  void flatten(const CellFrame& cell, std::vector<double>& c) const {
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      double* own = &c[v * members_.size()];
      const double mean =
          std::inner_product(own, own + space_, cell.shape->moments.begin(), 0.0) / cell.shape->moments[0];
      std::fill(own, own + space_, 0.0);
      own[0] = mean;
    }
  }

  const DgSetup& setup_;
  const LevelArrays& cells_;
  EntityLanes all_;
  const std::vector<double>& kept_;
  std::optional<StateFormula> formula_;
  std::optional<Bed> bed_;
  std::vector<Member> members_;
  std::size_t space_;
  GaussRule rule_;
  struct Sample {
    Point at;  // in the cell's frame
    double weight;
  };
  mutable std::shared_ptr<const ScaledCell> sampled_;
  mutable std::vector<Sample> samples_;  // of that shape
  mutable std::vector<Monomials> phi_;   // there
  // Of the cell at hand.
  mutable std::vector<Point> points_;
  mutable std::vector<State> states_;
  mutable std::vector<double> weighted_;  // of a variable
};

/// The start of cells, as many at a time as the predictor takes; for one thread.
class CellStarts {
 public:
  CellStarts(const DgSetup& setup, const LevelArrays& cells, double tau, const std::vector<double>& kept,
             std::vector<double>& all)
      : setup_(setup),
        cells_(cells),
        tau_(tau),
        start_(setup, cells, kept),
        predictor_(setup, tau),
        frame_(setup, cells),
        unknowns_(static_cast<std::size_t>(setup.unknowns())),
        stored_(static_cast<std::size_t>(setup.values())),
        stride_(static_cast<std::size_t>(cells.lanes.stride)),
        all_(all) {}

  void operator()(const Part& lanes) {
    for (std::int64_t lane = lanes.first; lane < lanes.last; ++lane) {
      CellFrame cell = frame_.of(lane);
      const bool alike = frames_.empty() || frames_.front().shape->corners.size() == cell.shape->corners.size();
      if (!alike || frames_.size() == Predictor::lanes) predict(lane);
      std::vector<double>& c = c_[frames_.size()];
      c.assign(unknowns_, 0.0);
      start_.add_coefficients(cell, lane, c);
      frames_.push_back(std::move(cell));
    }
    predict(lanes.last);
  }

 private:
  /// Those at hand, which end before that lane.
  void predict(std::int64_t behind) {
    if (frames_.empty()) return;
    std::array<std::vector<double>, Predictor::lanes> level;  // which the predictor leaves alone
    std::array<std::array<double, 2>, Predictor::lanes> more{};
    const bool bed = stored_ > unknowns_;
    const std::size_t first = static_cast<std::size_t>(behind) - frames_.size();
    for (std::size_t k = 0; bed && k < frames_.size(); ++k)
      if (start_.settle(frames_[k], static_cast<std::int64_t>(first + k), c_[k])) level[k] = c_[k];
    predictor_.predict(frames_, c_);
    for (std::size_t k = 0; bed && k < frames_.size(); ++k) {
      if (!level[k].empty()) c_[k] = level[k];
      more[k] = kept_water(setup_, cells_, first + k, tau_, !level[k].empty(), c_[k]);
    }
    for (std::size_t n = 0; n < unknowns_; ++n)
      for (std::size_t k = 0; k < frames_.size(); ++k) all_[n * stride_ + first + k] = c_[k][n];
    for (std::size_t n = unknowns_; n < stored_; ++n)
      for (std::size_t k = 0; k < frames_.size(); ++k) all_[n * stride_ + first + k] = more[k].at(n - unknowns_);
    frames_.clear();
  }

  const DgSetup& setup_;
  const LevelArrays& cells_;
  double tau_;
  CellStart start_;
  Predictor predictor_;
  CellFrames frame_;
  std::size_t unknowns_, stored_, stride_;
  std::vector<double>& all_;
  std::vector<CellFrame> frames_;  // of the cells at hand, whose lanes are neighbours
  std::array<std::vector<double>, Predictor::lanes> c_;
};

}  // namespace

std::vector<double> initial_coefficients(const DgSetup& setup, const LevelArrays& cells, double tau,
                                         const std::vector<double>& kept) {
  std::vector<double> all;
  resize_cleared(all, static_cast<std::size_t>(setup.values() * cells.lanes.stride));
  parallel_shares(cells.lanes.stride, [&] { return CellStarts(setup, cells, tau, kept, all); });
  return all;
}

}  // namespace quoin
