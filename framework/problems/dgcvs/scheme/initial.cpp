#include "problems/dgcvs/scheme/initial.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "problems/dgcvs/scheme/predictor.hpp"
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
  }

  /// variables * basis coefficients of the cell in a lane; those with a power of s are 0.
  [[nodiscard]] std::vector<double> coefficients(const CellFrame& cell, std::int64_t lane) const {
    return formula_ ? projected(cell) : kept(lane);
  }

 private:
  [[nodiscard]] std::vector<double> kept(std::int64_t lane) const {
    std::vector<double> c(setup_.law.size() * members_.size(), 0.0);
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      for (std::size_t m = 0; m < space_; ++m) {
        const std::size_t n = v * members_.size() + m;
        c[n] = kept_[n * static_cast<std::size_t>(all_.stride) +
                     static_cast<std::size_t>(all_.of(cells_.lanes.entity(lane)))];
      }
    }
    return c;
  }

  [[nodiscard]] std::vector<double> projected(const CellFrame& cell) const {
    std::vector<double> c(setup_.law.size() * members_.size(), 0.0);
    sample(cell);
    points_.clear();
    for (const Sample& sample : samples_)
      points_.push_back({cell.centre.x + cell.length * sample.at.x, cell.centre.y + cell.length * sample.at.y});
    states_.resize(points_.size());
    formula_->at(points_, 0.0, states_);
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      lowest = std::min(lowest, states_[k][0]);
      const double* phi = &phi_[k * space_];
      for (std::size_t v = 0; v < setup_.law.size(); ++v) {
        const double value = samples_[k].weight * states_[k][v];
        for (std::size_t m = 0; m < space_; ++m) c[v * members_.size() + m] += value * phi[m];
      }
    }
    for (std::size_t v = 0; v < setup_.law.size(); ++v)
      apply_inverse(cell.shape->factor, space_, &c[v * members_.size()]);
    const bool limited = setup_.law.law() == Law::shallow_water && setup_.limiter == Limiter::always;
    if (limited && undershoots(cell, c, lowest)) flatten(cell, c);
    return c;
  }

  /// The Gauss points of the cell's shape, and the monomials there.
  void sample(const CellFrame& cell) const {
    if (cell.shape == sampled_) return;
    sampled_ = cell.shape;
    samples_.clear();
    for (const auto& corners : cell.shape->corners)
      visit_quad(corners, rule_, [&](Point at, double weight) { samples_.push_back({at, weight}); });
    phi_.resize(samples_.size() * space_);
    for (std::size_t k = 0; k < samples_.size(); ++k)
      spatial_monomials(setup_.method.order, samples_[k].at.x, samples_[k].at.y,
                        std::span(phi_).subspan(k * space_, space_));
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
  std::vector<Member> members_;
  std::size_t space_;
  GaussRule rule_;
  struct Sample {
    Point at;  // in the cell's frame
    double weight;
  };
  mutable std::shared_ptr<const ScaledCell> sampled_;
  mutable std::vector<Sample> samples_;  // of that shape
  mutable std::vector<double> phi_;      // sample by sample
  // Of the cell at hand.
  mutable std::vector<Point> points_;
  mutable std::vector<State> states_;
};

}  // namespace

std::vector<double> initial_coefficients(const DgSetup& setup, const LevelArrays& cells, double tau,
                                         const std::vector<double>& kept) {
  const auto stride = static_cast<std::size_t>(cells.lanes.stride);
  std::vector<double> all;
  resize_cleared(all, static_cast<std::size_t>(setup.unknowns()) * stride);
  parallel_parts(cells.lanes.stride, [&](const Part& part) {
    const CellStart start(setup, cells, kept);
    const Predictor predictor(setup, tau);
    CellFrames frame(setup, cells);
    std::vector<CellFrame> frames;  // of neighbouring lanes, as many as are predicted at a time
    std::vector<std::vector<double>> c;
    const auto predict = [&](std::int64_t behind) {
      if (frames.empty()) return;
      predictor.predict(frames, c);
      const std::size_t first = static_cast<std::size_t>(behind) - frames.size();
      for (std::size_t k = 0; k < c.size(); ++k)
        for (std::size_t n = 0; n < c[k].size(); ++n) all[n * stride + first + k] = c[k][n];
      frames.clear();
      c.clear();
    };
    for (std::int64_t lane = part.first; lane < part.last; ++lane) {
      CellFrame cell = frame.of(lane);
      const bool alike = frames.empty() || frames.front().shape->corners.size() == cell.shape->corners.size();
      if (!alike || frames.size() == Predictor::lanes) predict(lane);
      c.push_back(start.coefficients(cell, lane));
      frames.push_back(std::move(cell));
    }
    predict(part.last);
  });
  return all;
}

}  // namespace quoin
