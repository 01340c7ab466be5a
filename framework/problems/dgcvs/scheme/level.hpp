#pragma once

// The entities of one kind as the kernels want them: arrays with one entity a lane.

#include <cstdint>
#include <string>
#include <vector>

#include "problems/dgcvs/scheme/entities.hpp"
#include "problems/dgcvs/scheme/partition.hpp"
#include "problems/dgcvs/setup/setup.hpp"

namespace quoin {

/// Host arrays in double; kernels/dgcvs/arguments.h has their shapes. Those of faces have lanes for the groups of
/// entities that have one of the boundary among them, and where the entities inside are congruent, geometry, region,
/// factor and moments have a group of lanes for all of these.
struct LevelArrays {
  /// Of all entities.
  LevelArrays(const DgSetup& setup, EntityKind kind);
  /// Of those that a rank has; of others' no more than the kernels read of old entities.
  LevelArrays(const DgSetup& setup, EntityKind kind, const Partition& partition, int rank);

  EntityLanes lanes;
  std::int64_t slots = 0;
  std::int64_t faces = 0;
  std::int64_t face_stride = 0;
  std::int64_t shape_stride = 0;
  std::int64_t shape_mask = -1;  ///< as the kernels take it, of the entities inside
  bool whole = false;            ///< volume terms take points of the regions, as the kernels say
  std::vector<std::int64_t> neighbour;
  std::vector<double> geometry;
  std::vector<double> region;
  std::vector<double> factor;
  std::vector<double> moments;
  std::vector<double> length;
  std::vector<double> bed;        ///< empty where the law has none, like the next two
  std::vector<double> bed_slope;  ///< rows of all lanes: mean, and mean slopes
  std::vector<double> face_bed;
  std::vector<std::int64_t> behind;
  std::vector<double> face;
  std::vector<HalfFace> half_faces;  ///< by [face * face_stride + lane]
  /// Of each lane, where those of the boundary are not in launches of their own; empty where there are none.
  std::vector<std::int64_t> face_lane;
  std::vector<std::int64_t> sequence;  ///< those of the boundary last, where the case wants it

  /// Whether the entity in a lane has the shape that all such lanes have.
  [[nodiscard]] bool shares_shape(std::int64_t lane) const { return shape_mask >= 0 && lane < lanes.first_boundary; }
  /// Where geometry, region, factor and moments have what is in a lane.
  [[nodiscard]] std::int64_t shape_lane(std::int64_t lane) const;

 private:
  /// The lane of the other entity that has the sub-quad.
  [[nodiscard]] std::int64_t old_lane(const DgSetup& setup, std::int64_t quad) const;
  void fill_entities(const DgSetup& setup);
  void fill_faces(const DgSetup& setup);
  void fill_bed(const DgSetup& setup);

  EntityKind kind_;
  EntityLanes old_lanes_;
};

/// Of each lane, what the kernel dgcvs_limit compares jumps with: the case's threshold times the entity's width to the
/// power (order + 1) / 2; -1 where the case limits everywhere.
std::vector<double> limiter_thresholds(const DgSetup& setup, const LevelArrays& arrays);

/// Says whether two meshes are the same, as the coefficients know them.
std::string mesh_sha256(const LevelArrays& arrays);

}  // namespace quoin
