#pragma once

// The boundary half faces of entities.

#include <array>
#include <cstdint>
#include <vector>

#include "problems/dgcvs/scheme/entities.hpp"
#include "problems/dgcvs/setup/setup.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {

/// A half face in the direction of its sub-quad, with the sub-quad.
struct EntityFace {
  HalfFace half;
  std::int64_t quad;
};
std::vector<EntityFace> faces_of(const Staggered& staggered, EntityKind kind, std::int64_t entity);
/// The first entity without any; the first of all where each has some.
std::int64_t first_inner(const Staggered& staggered, EntityKind kind);

/// What the kernels are told of a half face of an entity of that length.
std::array<double, dgcvs_face> describe_face(const DgSetup& setup, EntityKind kind, const EntityFace& face,
                                             double length);

}  // namespace quoin
