#pragma once

#include <cstdint>

#include "quoin/case.hpp"

namespace quoin {

/// What is said of u on a side: its value; k du/dn, outward; k du/dn + coefficient u; or that it goes on at the other
/// end.
enum class SideType { dirichlet, neumann, robin, periodic };

/// The nodes along one direction of a grid, from one side to the other: intervals + 1, of which `count` from node
/// `first` on are unknowns. Those are the nodes inside and, where no value is given, those of the sides; of two sides
/// that are joined, the node is that of the first.
struct Axis {
  Axis(double from, double to, std::int64_t intervals_between, SideType lower_side, SideType upper_side);
  static Axis x_of(const Case& the_case);
  static Axis y_of(const Case& the_case);
  /// flat() where the case has none.
  static Axis z_of(const Case& the_case);
  /// That of a plane across which nothing happens: one node, in a cell of width 1.
  static Axis flat() { return {0.0, 1.0, 1, SideType::periodic, SideType::periodic}; }

  double begin, end;
  std::int64_t intervals;
  SideType lower, upper;
  double spacing;
  std::int64_t first, count;

  [[nodiscard]] bool is_flat() const { return intervals == 1; }
  [[nodiscard]] bool periodic() const { return lower == SideType::periodic; }
  /// Of the cell around unknown i: that of a node on a side is half as wide as the others.
  [[nodiscard]] double width(std::int64_t i) const;
  /// The interval before unknown i, or after unknown i - 1; -1 where there is none.
  [[nodiscard]] std::int64_t interval_before(std::int64_t i) const;
  /// With so many intervals instead.
  [[nodiscard]] Axis with(std::int64_t other) const { return {begin, end, other, lower, upper}; }
};

/// Whether any two sides of a grid are.
bool joins_sides(const Axis& x, const Axis& y, const Axis& z);

}  // namespace quoin
