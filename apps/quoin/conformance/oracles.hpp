#pragma once

// What each kernel must compute, written from the catalogue's definitions and from nothing else: the
// shared kernel bodies are never included here, so that a mistake in them shows. Naive on purpose.

#include <cmath>
#include <cstdint>
#include <span>

#include "conformance/harness.hpp"

namespace quoin::conformance::oracle {

template <class T>
struct Stencil {
  T a, b, diagonal;
};

/// The five-point operator at one node. The order of the operations is part of the definition.
template <class T>
T apply(const View<T>& u, std::int64_t i, std::int64_t j, const Stencil<T>& s) {
  const T along_x = s.a * (u(i - 1, j) + u(i + 1, j));
  const T neighbours = std::fma(s.b, u(i, j - 1) + u(i, j + 1), along_x);
  return std::fma(s.diagonal, u(i, j), -neighbours);
}

template <class Visit>
void every_node(const Box& box, Visit&& visit) {
  for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
    for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) visit(i, j);
  }
}

inline bool beside_a_side(const Box& box, std::int64_t i, std::int64_t j) {
  return i == box.lower[0] || i == box.upper[0] - 1 || j == box.lower[1] || j == box.upper[1] - 1;
}

/// The sum of r*r over the block whose first node is (i0, j0): column pairs, each down its rows, then
/// pairwise across. Nodes outside the box count nothing.
template <class T>
T block_sum(const View<T>& r, const Box& box, std::int64_t i0, std::int64_t j0) {
  const auto square = [&](std::int64_t i, std::int64_t j) {
    return i < box.upper[0] && j < box.upper[1] ? r(i, j) * r(i, j) : T(0);
  };
  T pair[8];
  for (std::int64_t p = 0; p < 8; ++p) {
    pair[p] = 0;
    for (std::int64_t j = j0; j < j0 + 32; ++j) pair[p] = pair[p] + (square(i0 + 2 * p, j) + square(i0 + 2 * p + 1, j));
  }
  return ((pair[0] + pair[1]) + (pair[2] + pair[3])) + ((pair[4] + pair[5]) + (pair[6] + pair[7]));
}

template <class T>
void block_sums(const View<T>& r, const View<T>& partials, const Box& box) {
  for (std::int64_t by = 0; by * 32 < box.extent(1); ++by) {
    for (std::int64_t bx = 0; bx * 16 < box.extent(0); ++bx)
      partials(bx, by) = block_sum(r, box, box.lower[0] + 16 * bx, box.lower[1] + 32 * by);
  }
}

/// The sum of a list that zeros fill up to `width`, a power of two: the left half plus the right half.
template <class T>
T tree_sum(std::span<const T> list, std::size_t width) {
  if (list.empty()) return T(0);
  if (width == 1) return list[0];
  const std::size_t left = std::min(width / 2, list.size());
  return tree_sum(list.first(left), width / 2) + tree_sum(list.subspan(left), width / 2);
}

template <class T>
T residual_norm(std::span<const T> partials, T scale, T divisor) {
  std::size_t width = 1;
  while (width < partials.size()) width *= 2;
  return std::sqrt(tree_sum(partials, width) * scale) / divisor;
}

}  // namespace quoin::conformance::oracle
