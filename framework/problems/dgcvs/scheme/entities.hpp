#pragma once

// The two kinds of entities, and where the kernels find each of a kind.

#include <array>
#include <cstdint>

#include "mesh/staggered.hpp"

namespace quoin {

enum class EntityKind { cells, vertices };

/// The kind that a half step of entities of this kind reads.
inline EntityKind other(EntityKind kind) {
  return kind == EntityKind::cells ? EntityKind::vertices : EntityKind::cells;
}

inline const Entities& entities_of(const Staggered& staggered, EntityKind kind) {
  return kind == EntityKind::cells ? staggered.cells : staggered.vertices;
}

/// The entity of that kind that has the sub-quad.
inline std::int64_t owner_of(const SubQuad& quad, EntityKind kind) {
  return kind == EntityKind::cells ? quad.cell : quad.vertex;
}

/// The sub-quad's corners as its entity sees them: its own centre, A, B (the centre of the old entity), C.
inline std::array<Point, 4> seen_from(const SubQuad& quad, EntityKind kind) {
  const auto& p = quad.corners;
  if (kind == EntityKind::cells) return {p[2], p[3], p[0], p[1]};
  return {p[0], p[1], p[2], p[3]};
}

/// Where an entity's lane is: those inside first, those of the boundary from `first_boundary` on. Both groups end at
/// whole groups of entities; the lanes between and behind are copies of a real entity, which nobody looks at.
struct EntityLanes {
  EntityLanes(const Entities& entities, EntityOrder order);
  std::int64_t entities;        ///< real ones
  std::int64_t inside;          ///< real ones without a boundary
  std::int64_t first_boundary;  ///< lane
  std::int64_t stride;          ///< all lanes

  [[nodiscard]] std::int64_t of(std::int64_t entity) const {
    return entity < inside ? entity : first_boundary + entity - inside;
  }
  /// The entity that a lane is, or is a copy of.
  [[nodiscard]] std::int64_t entity(std::int64_t lane) const;
};

}  // namespace quoin
