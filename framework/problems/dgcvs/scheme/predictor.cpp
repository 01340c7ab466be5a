#include "problems/dgcvs/scheme/predictor.hpp"

#include <algorithm>
#include <cmath>

#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

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

}  // namespace

Predictor::Predictor(const DgSetup& setup, double tau)
    : setup_(setup),
      tau_(tau),
      members_(basis_members(setup.method.order)),
      space_(static_cast<std::size_t>(dgcvs_space(setup.method.order))),
      rule_(gauss_rule(setup.method.order + 1)) {}

double Predictor::gram(const CellFrame& cell, const Member& a, const Member& b) const {
  const int y = a.j + b.j;
  return cell.moments[spatial_place(a.i + b.i + y, y)];
}

std::vector<std::vector<double>> Predictor::time_matrix(const CellFrame& cell, std::size_t unknowns) const {
  std::vector<std::vector<double>> matrix(unknowns, std::vector<double>(unknowns));
  for (std::size_t n = 0; n < unknowns; ++n) {
    for (std::size_t m = 0; m < unknowns; ++m) {
      const Member& a = members_[space_ + n];
      const Member& b = members_[space_ + m];
      matrix[n][m] = gram(cell, a, b) * a.k * b.k / (a.k + b.k - 1);
    }
  }
  return matrix;
}

Predictor::Sample Predictor::sample(Point at, double weight) const {
  Sample result{weight, {}, {}, {}};
  spatial_monomials(setup_.method.order, at.x, at.y, result.phi);
  for (std::size_t m = 1; m < space_; ++m) {
    const auto [i, j, k] = members_[m];
    if (i > 0) result.along_x[m] = i * result.phi[spatial_place(i + j - 1, j)];
    if (j > 0) result.along_y[m] = j * result.phi[spatial_place(i + j - 1, j - 1)];
  }
  return result;
}

Predictor::InTime Predictor::polynomials_in_time(const double* c, const Sample& at) const {
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

/// int phi_n,t u_t over the cell and [0, tau], by the Gauss points in time at one point in space after the other.
std::vector<std::vector<double>> Predictor::rate_integrals(const CellFrame& cell, const std::vector<double>& c,
                                                           std::size_t unknowns) const {
  const std::size_t variables = setup_.law.size();
  std::vector<std::vector<double>> rhs(variables, std::vector<double>(unknowns, 0.0));
  for (const Sample& at : samples_) {
    std::array<InTime, 3> in_time{};
    for (std::size_t v = 0; v < variables; ++v) in_time[v] = polynomials_in_time(&c[v * members_.size()], at);
    std::array<std::array<double, 5>, 3> moments{};
    for (std::size_t t = 0; t < rule_.nodes.size(); ++t) {
      const double s = rule_.nodes[t];
      State u{}, along_x{}, along_y{};
      for (std::size_t v = 0; v < variables; ++v) {
        for (std::size_t k = times(); k-- > 0;) {
          u[v] = u[v] * s + in_time[v].u[k];
          along_x[v] = along_x[v] * s + in_time[v].along_x[k];
          along_y[v] = along_y[v] * s + in_time[v].along_y[k];
        }
      }
      const State rate = setup_.law.rate(u, along_x, along_y);
      double weight = rule_.weights[t];
      for (std::size_t k = 1; k < times(); ++k) {
        for (std::size_t v = 0; v < variables; ++v) moments[v][k] += static_cast<double>(k) * weight * rate[v];
        weight *= s;
      }
    }
    const double scale = at.weight * tau_ / cell.length;
    for (std::size_t v = 0; v < variables; ++v) {
      std::size_t n = 0;
      for (std::size_t k = 1; k < times(); ++k)
        for (std::size_t m = 0; m < space_with(k); ++m) rhs[v][n++] += scale * moments[v][k] * at.phi[m];
    }
  }
  return rhs;
}

void Predictor::predict(const CellFrame& cell, std::vector<double>& c) {
  const std::size_t unknowns = members_.size() - space_;
  if (unknowns == 0) return;
  samples_.clear();
  for (const auto& corners : cell.corners)
    visit_quad(corners, rule_, [&](Point at, double weight) { samples_.push_back(sample(at, weight)); });
  const SpdSolver solver(time_matrix(cell, unknowns));
  constexpr int max_passes = 40;
  double change_before = 0.0;
  for (int pass = 0; pass < max_passes; ++pass) {
    double change = 0.0;
    double size = 0.0;
    std::vector<std::vector<double>> rhs = rate_integrals(cell, c, unknowns);
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

}  // namespace quoin
