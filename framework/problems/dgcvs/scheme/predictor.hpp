#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/cell_frame.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"

namespace quoin {

namespace predictor {
template <class Number>
struct Shapes;
}

/// Solves the law in the weak sense inside some cells at a time, for half a step `tau`; for one thread.
class Predictor {
 public:
  /// The most cells at a time: the arithmetic of each is the same whatever cells are beside it.
  static constexpr std::size_t lanes = 8;

  Predictor(const DgSetup& setup, double tau);
  ~Predictor();

  /// Gives cells whose polynomials are known in space, variables * basis coefficients each, those in time:
  /// int phi_n,t (u_t + f'(u) u_x + g'(u) u_y) = 0 over the cell and [0, tau] for every n with a power of s.
  /// The cells have equally many sub-quads. Behind the variables are the spatial coefficients of a bed, where the law
  /// has one.
  void predict(std::span<const CellFrame> cells, std::span<std::vector<double>> c) const;

 private:
  const DgSetup& setup_;
  double tau_;
  std::vector<Member> members_;
  std::size_t space_;
  GaussRule rule_;
  /// For cells of the shapes at hand.
  struct Prepared;
  void prepare(std::span<const CellFrame> cells) const;
  template <class Number>
  [[nodiscard]] predictor::Shapes<Number> prepared(std::span<const std::shared_ptr<const ScaledCell>> shapes) const;
  mutable std::unique_ptr<Prepared> prepared_;
};

}  // namespace quoin
