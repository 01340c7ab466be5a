#pragma once

// The entities of one kind, cells or vertices, as the kernels want them: arrays with one entity a lane.

#include <cstdint>
#include <vector>

#include "problems/dgcvs/setup.hpp"

namespace quoin {

enum class EntityKind { cells, vertices };

/// Where an entity's lane is: those inside first, those of the boundary from `first_boundary` on. Both groups end at
/// whole groups of entities; the lanes between and behind are copies of a real entity, which nobody looks at.
struct Lanes {
  Lanes(const Entities& entities, EntityOrder order);
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

/// Host arrays in double; kernels/dgcvs/arguments.h has their shapes. Those of faces have a lane for each entity of the
/// boundary only.
struct LevelArrays {
  LevelArrays(const DgSetup& setup, EntityKind kind);

  Lanes lanes;
  std::int64_t slots = 0;
  std::int64_t faces = 0;
  std::int64_t face_stride = 0;
  std::vector<std::int64_t> neighbour;
  std::vector<double> geometry;
  std::vector<double> factor;
  std::vector<double> moments;
  std::vector<double> length;
  std::vector<std::int64_t> behind;
  std::vector<double> face;
  /// Of each half face, by [face * face_stride + lane]: its ends in the plane and its side, -1 where there is none.
  struct HalfFace {
    Point from, to;
    int side = -1;
  };
  std::vector<HalfFace> half_faces;
};

/// Of each lane, what the kernel dgcvs_limit compares jumps with: the case's threshold times the entity's width to the
/// power (order + 1) / 2; -1 where the case limits everywhere.
std::vector<double> limiter_thresholds(const DgSetup& setup, const LevelArrays& arrays);

/// Whether all entities inside have one shape, to the bit, as congruent ones do.
bool inside_is_congruent(const LevelArrays& arrays);

}  // namespace quoin
