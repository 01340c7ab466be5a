#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/cell_frame.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"

namespace quoin {

/// Solves the law in the weak sense inside one cell after another, for half a step `tau`; for one thread.
class Predictor {
 public:
  Predictor(const DgSetup& setup, double tau);

  /// Gives a cell whose polynomials are known in space, variables * basis coefficients, those in time:
  /// int phi_n,t (u_t + f'(u) u_x + g'(u) u_y) = 0 over the cell and [0, tau] for every n with a power of s.
  void predict(const CellFrame& cell, std::vector<double>& c);

 private:
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

  [[nodiscard]] double gram(const CellFrame& cell, const Member& a, const Member& b) const;
  [[nodiscard]] std::vector<std::vector<double>> time_matrix(const CellFrame& cell, std::size_t unknowns) const;
  [[nodiscard]] Sample sample(Point at, double weight) const;
  [[nodiscard]] InTime polynomials_in_time(const double* c, const Sample& at) const;
  [[nodiscard]] std::vector<std::vector<double>> rate_integrals(const CellFrame& cell, const std::vector<double>& c,
                                                                std::size_t unknowns) const;

  const DgSetup& setup_;
  double tau_;
  std::vector<Member> members_;
  std::size_t space_;
  GaussRule rule_;
  std::vector<Sample> samples_;
};

}  // namespace quoin
