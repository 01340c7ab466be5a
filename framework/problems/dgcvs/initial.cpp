#include "problems/dgcvs/initial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "problems/dgcvs/basis.hpp"
#include "problems/dgcvs/parallel.hpp"
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

/// Solves a small dense symmetric positive definite system by Cholesky's factors, made once.
class SpdSolver {
 public:
  explicit SpdSolver(std::vector<std::vector<double>> matrix) : l_(std::move(matrix)) {
    for (std::size_t i = 0; i < l_.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = l_[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= l_[i][k] * l_[j][k];
        l_[i][j] = i == j ? std::sqrt(sum) : sum / l_[j][j];
      }
    }
  }
  void solve(std::vector<double>& b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i] -= l_[i][k] * b[k];
      b[i] /= l_[i][i];
    }
    for (std::size_t i = b.size(); i-- > 0;) {
      for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= l_[k][i] * b[k];
      b[i] /= l_[i][i];
    }
  }

 private:
  std::vector<std::vector<double>> l_;
};

/// The start of one cell after another; for one thread.
class CellStart {
 public:
  CellStart(const DgSetup& setup, const LevelArrays& cells, double tau, const std::vector<double>& kept)
      : setup_(setup),
        cells_(cells),
        kept_(kept),
        members_(basis_members(setup.method.order)),
        space_(static_cast<std::size_t>(dgcvs_space(setup.method.order))),
        projection_rule_(gauss_rule(setup.method.order + 3)),
        predictor_rule_(gauss_rule(setup.method.order + 1)),
        tau_(tau) {
    if (kept.empty()) formula_.emplace(setup.initial());
  }

  /// variables * basis coefficients of the cell in a lane.
  std::vector<double> coefficients(std::int64_t lane) {
    look_at(lane);
    std::vector<double> c = formula_ ? projected() : kept(lane);
    predict(c);
    return c;
  }

 private:
  /// In space alone.
  [[nodiscard]] std::vector<double> kept(std::int64_t lane) const {
    std::vector<double> c(setup_.law.size() * members_.size(), 0.0);
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      for (std::size_t m = 0; m < space_; ++m) {
        const std::size_t n = v * members_.size() + m;
        c[n] = kept_[n * static_cast<std::size_t>(cells_.lanes.stride) + static_cast<std::size_t>(lane)];
      }
    }
    return c;
  }

  [[nodiscard]] std::vector<double> projected() const {
    std::vector<double> c(setup_.law.size() * members_.size(), 0.0);
    std::vector<double> phi(space_);
    double lowest = std::numeric_limits<double>::infinity();
    for (const auto& corners : corners_) {
      visit_quad(corners, projection_rule_, [&](Point at, double weight) {
        const State state = formula_->at({centre_.x + length_ * at.x, centre_.y + length_ * at.y}, 0.0);
        spatial_monomials(setup_.method.order, at.x, at.y, phi);
        lowest = std::min(lowest, state[0]);
        for (std::size_t v = 0; v < setup_.law.size(); ++v)
          for (std::size_t m = 0; m < space_; ++m) c[v * members_.size() + m] += weight * state[v] * phi[m];
      });
    }
    for (std::size_t v = 0; v < setup_.law.size(); ++v) apply_inverse(factor_, space_, &c[v * members_.size()]);
    const bool limited = setup_.law.law() == Law::shallow_water && setup_.limiter == Limiter::always;
    if (limited && undershoots(c, lowest)) flatten(c);
    return c;
  }

  /// The cell in its own scaled frame.
  void look_at(std::int64_t lane) {
    const Staggered& s = setup_.staggered;
    const std::int64_t cell = cells_.lanes.entity(lane);
    centre_ = s.cells.centre[static_cast<std::size_t>(cell)];
    length_ = s.cells.length[static_cast<std::size_t>(cell)];
    corners_.clear();
    for (const std::int64_t q : s.cells.quads_of(cell)) {
      auto corners = s.quads[static_cast<std::size_t>(q)].corners;
      for (Point& p : corners) p = {(p.x - centre_.x) / length_, (p.y - centre_.y) / length_};
      corners_.push_back(corners);
    }
    const auto column = [&](const std::vector<double>& array, std::size_t rows) {
      std::vector<double> values;
      for (std::size_t row = 0; row < rows; ++row)
        values.push_back(array[row * static_cast<std::size_t>(cells_.lanes.stride) + static_cast<std::size_t>(lane)]);
      return values;
    };
    factor_ = column(cells_.factor, space_ * (space_ + 1) / 2);
    moments_ = column(cells_.moments, static_cast<std::size_t>(dgcvs_space(2 * setup_.method.order)));
  }

  /// Whether a projected depth falls far below `lowest`, that of the formula, as it does where the cell has a jump.
  [[nodiscard]] bool undershoots(const std::vector<double>& c, double lowest) const {
    bool low = false;
    std::vector<double> phi(space_);
    const auto look = [&](Point at) {
      spatial_monomials(setup_.method.order, at.x, at.y, phi);
      low = low || std::inner_product(phi.begin(), phi.end(), c.begin(), 0.0) < lowest / 2;
    };
    for (const auto& corners : corners_) {
      for (const Point& corner : corners) look(corner);
      visit_quad(corners, projection_rule_, [&](Point at, double) { look(at); });
    }
    return low;
  }

  /// Leaves the means alone.
  void flatten(std::vector<double>& c) const {
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      double* own = &c[v * members_.size()];
      const double mean = std::inner_product(own, own + space_, moments_.begin(), 0.0) / moments_[0];
      std::fill(own, own + space_, 0.0);
      own[0] = mean;
    }
  }

  [[nodiscard]] double gram(const Member& a, const Member& b) const {
    const int y = a.j + b.j;
    return moments_[spatial_place(a.i + b.i + y, y)];
  }

  /// int phi_n,t (u_t + f'(u) u_x + g'(u) u_y) = 0 over the cell and [0, tau] for every n with a power of s.
  void predict(std::vector<double>& c) {
    const std::size_t unknowns = members_.size() - space_;
    if (unknowns == 0) return;
    samples_.clear();
    for (const auto& corners : corners_)
      visit_quad(corners, predictor_rule_, [&](Point at, double weight) { samples_.push_back(sample(at, weight)); });
    std::vector<std::vector<double>> matrix(unknowns, std::vector<double>(unknowns));
    for (std::size_t n = 0; n < unknowns; ++n) {
      for (std::size_t m = 0; m < unknowns; ++m) {
        const Member& a = members_[space_ + n];
        const Member& b = members_[space_ + m];
        matrix[n][m] = gram(a, b) * a.k * b.k / (a.k + b.k - 1);
      }
    }
    const SpdSolver solver(std::move(matrix));
    constexpr int most_passes = 40;
    double change_before = 0.0;
    for (int pass = 0; pass < most_passes; ++pass) {
      double change = 0.0;
      double size = 0.0;
      std::vector<std::vector<double>> rhs = rate_integrals(c, unknowns);
      for (std::size_t v = 0; v < setup_.law.size(); ++v) {
        solver.solve(rhs[v]);
        for (std::size_t n = 0; n < unknowns; ++n) {
          double& coefficient = c[v * members_.size() + space_ + n];
          change = std::max(change, std::abs(rhs[v][n] - coefficient));
          size = std::max(size, std::abs(rhs[v][n]));
          coefficient = rhs[v][n];
        }
      }
      const bool only_rounding = change <= 1e-8 * size && change >= change_before;  // it falls no more
      if (change <= 1e-14 * size || (pass > 0 && only_rounding)) break;
      change_before = change;
    }
  }

  /// int phi_n,t u_t over the cell and [0, tau], by the Gauss points in time at one point in space after the other.
  std::vector<std::vector<double>> rate_integrals(const std::vector<double>& c, std::size_t unknowns) const {
    const std::size_t variables = setup_.law.size();
    std::vector<std::vector<double>> rhs(variables, std::vector<double>(unknowns, 0.0));
    for (const Sample& at : samples_) {
      std::array<InTime, 3> in_time{};
      for (std::size_t v = 0; v < variables; ++v) in_time[v] = polynomials_in_time(&c[v * members_.size()], at);
      std::array<std::array<double, 5>, 3> moments{};
      for (std::size_t t = 0; t < predictor_rule_.nodes.size(); ++t) {
        const double s = predictor_rule_.nodes[t];
        State u{}, along_x{}, along_y{};
        for (std::size_t v = 0; v < variables; ++v) {
          for (std::size_t k = times(); k-- > 0;) {
            u[v] = u[v] * s + in_time[v].u[k];
            along_x[v] = along_x[v] * s + in_time[v].along_x[k];
            along_y[v] = along_y[v] * s + in_time[v].along_y[k];
          }
        }
        const State rate = setup_.law.rate(u, along_x, along_y);
        double weight = predictor_rule_.weights[t];
        for (std::size_t k = 1; k < times(); ++k) {
          for (std::size_t v = 0; v < variables; ++v) moments[v][k] += static_cast<double>(k) * weight * rate[v];
          weight *= s;
        }
      }
      const double scale = at.weight * tau_ / length_;
      for (std::size_t v = 0; v < variables; ++v) {
        std::size_t n = 0;
        for (std::size_t k = 1; k < times(); ++k)
          for (std::size_t m = 0; m < space_with(k); ++m) rhs[v][n++] += scale * moments[v][k] * at.phi[m];
      }
    }
    return rhs;
  }

  /// A Gauss point of the cell: weight, spatial members and their slopes.
  struct Sample {
    double weight;
    std::array<double, 15> phi, along_x, along_y;
  };
  /// Coefficients of the powers of s that a polynomial and its slopes have at a point.
  struct InTime {
    std::array<double, 5> u, along_x, along_y;
  };

  [[nodiscard]] std::size_t times() const { return static_cast<std::size_t>(setup_.method.order) + 1; }
  /// Spatial members that go with s^k: the first so many.
  [[nodiscard]] std::size_t space_with(std::size_t k) const { return (times() - k) * (times() - k + 1) / 2; }

  [[nodiscard]] InTime polynomials_in_time(const double* c, const Sample& at) const {
    InTime result{};
    for (std::size_t k = 0; k < times(); ++k) {
      for (std::size_t m = 0; m < space_with(k); ++m) {
        result.u[k] += c[m] * at.phi[m];
        result.along_x[k] += c[m] * at.along_x[m];
        result.along_y[k] += c[m] * at.along_y[m];
      }
      c += space_with(k);
    }
    return result;
  }

  [[nodiscard]] Sample sample(Point at, double weight) const {
    Sample result{weight, {}, {}, {}};
    spatial_monomials(setup_.method.order, at.x, at.y, result.phi);
    for (std::size_t m = 1; m < space_; ++m) {
      const auto [i, j, k] = members_[m];
      if (i > 0) result.along_x[m] = i * result.phi[spatial_place(i + j - 1, j)];
      if (j > 0) result.along_y[m] = j * result.phi[spatial_place(i + j - 1, j - 1)];
    }
    return result;
  }

  const DgSetup& setup_;
  const LevelArrays& cells_;
  const std::vector<double>& kept_;
  std::optional<StateFormula> formula_;
  std::vector<Member> members_;
  std::size_t space_;
  GaussRule projection_rule_, predictor_rule_;
  double tau_;
  Point centre_;
  double length_ = 1.0;
  std::vector<std::array<Point, 4>> corners_;
  std::vector<Sample> samples_;
  std::vector<double> factor_, moments_;
};

}  // namespace

std::vector<double> initial_coefficients(const DgSetup& setup, const LevelArrays& cells, double tau,
                                         const std::vector<double>& kept) {
  const auto stride = static_cast<std::size_t>(cells.lanes.stride);
  std::vector<double> all(static_cast<std::size_t>(setup.unknowns()) * stride);
  parallel_parts(cells.lanes.stride, [&](const Part& part) {
    CellStart start(setup, cells, tau, kept);
    for (std::int64_t lane = part.first; lane < part.last; ++lane) {
      const std::vector<double> c = start.coefficients(lane);
      for (std::size_t n = 0; n < c.size(); ++n) all[n * stride + static_cast<std::size_t>(lane)] = c[n];
    }
  });
  return all;
}

}  // namespace quoin
