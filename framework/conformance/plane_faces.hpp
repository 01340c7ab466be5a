#pragma once

#include <cmath>

#include "conformance/launch.hpp"

namespace quoin::conformance {

/// The four faces of a node's cell in the plane.
template <class T>
struct PlaneFaces {
  explicit PlaneFaces(const DeclaredLaunch<T>& l) : kx(l.view("kx")), ky(l.view("ky")) {}
  /// What leaves through them.
  [[nodiscard]] T flow(const View<T>& u, std::int64_t i, std::int64_t j) const {
    const T centre = u(i, j);
    T sum = kx(i, j) * (centre - u(i - 1, j));
    sum = std::fma(kx(i + 1, j), centre - u(i + 1, j), sum);
    sum = std::fma(ky(i, j), centre - u(i, j - 1), sum);
    return std::fma(ky(i, j + 1), centre - u(i, j + 1), sum);
  }
  /// The factor of the node's own value in that.
  [[nodiscard]] T diagonal(std::int64_t i, std::int64_t j) const {
    return (kx(i, j) + kx(i + 1, j)) + (ky(i, j) + ky(i, j + 1));
  }

  View<T> kx, ky;
};

}  // namespace quoin::conformance
