#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/staggered.hpp"

namespace quoin {

inline constexpr std::int64_t shape_values = 7;  ///< of a sub-quad

/// The shape of an entity in units of its length, those values of each sub-quad: its corners A, B and C (x, y) seen
/// from its centre, and by how much the entity is longer than the other one that has the sub-quad; 0 for those it lacks
/// of `slots`.
std::vector<double> shape_of(const Staggered& staggered, EntityKind kind, std::int64_t entity, std::int64_t slots);

/// Whether two shapes differ by rounding only.
bool congruent(const std::vector<double>& a, const std::vector<double>& b);

/// The quadrilateral that the sub-quads of a shape make up: a corner, and the others counter-clockwise, seen from that
/// one; empty where they make up something else.
std::vector<double> quadrilateral_of(std::span<const double> shape);

/// Whether the sub-quads of every entity of a kind make up a quadrilateral.
bool all_quadrilaterals(const Staggered& staggered, EntityKind kind);

/// Whether the first `inside` entities of a kind have the shape and the length of the first one.
bool all_congruent(const Staggered& staggered, EntityKind kind, std::int64_t inside);

}  // namespace quoin
