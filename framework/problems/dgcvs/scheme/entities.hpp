#pragma once

// Which entities of a kind a rank has, and where the kernels find each.

#include <cstdint>
#include <vector>

#include "mesh/staggered.hpp"

namespace quoin {

/// The entities [first, last).
struct EntityRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] std::int64_t count() const { return last - first; }
  [[nodiscard]] bool has(std::int64_t entity) const { return entity >= first && entity < last; }
};

/// The entities of one kind that a rank has: its own ones, and copies of those of other ranks that it reads.
struct EntityPart {
  EntityRange inside, boundary;
  struct Peer {
    int rank;
    std::vector<std::int64_t> out;  ///< the own entities that it reads, ascending
    std::vector<std::int64_t> in;   ///< its entities that are read here, ascending
  };
  std::vector<Peer> peers{};  ///< ascending

  /// Own ones.
  [[nodiscard]] std::int64_t count() const { return inside.count() + boundary.count(); }
  [[nodiscard]] std::int64_t entity(std::int64_t k) const {
    return k < inside.count() ? inside.first + k : boundary.first + k - inside.count();
  }
};
/// All of a kind, as one process has them.
EntityPart all_of(const Entities& entities, EntityOrder order);

/// Where an entity's lane is: own ones inside first, those of the boundary from `first_boundary` on, those of other
/// ranks, peer by peer, from `first_ghost` on. Each of the three ends at whole groups of entities; the lanes between
/// and behind are copies of a real entity, which nobody looks at.
struct EntityLanes {
  explicit EntityLanes(EntityPart having);

  EntityPart part;
  std::int64_t first_boundary;
  std::int64_t first_ghost;
  std::int64_t stride;  ///< all lanes

  [[nodiscard]] bool has_inside() const { return part.inside.count() > 0; }
  [[nodiscard]] bool has_boundary() const { return part.boundary.count() > 0; }
  /// Of an entity that the rank has.
  [[nodiscard]] std::int64_t of(std::int64_t entity) const;
  /// The entity that a lane is, or is a copy of.
  [[nodiscard]] std::int64_t entity(std::int64_t lane) const;
  /// Whether that is an own one.
  [[nodiscard]] bool own(std::int64_t lane) const {
    return lane < first_boundary ? has_inside() : lane < first_ghost && has_boundary();
  }
};

}  // namespace quoin
