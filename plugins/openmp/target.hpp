#pragma once

// Everything that needs a target directive, behind plain functions: target*.cpp alone are compiled for the devices.

#include <cstddef>

#include "kernels/launch.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::openmp {

/// What a target region was compiled for; `host` where it did not leave the host.
enum class Architecture : int { host, x86_64, nvptx, amdgcn };

inline constexpr int sweep_depth =
    8;  ///< Jacobi sweeps of a pass at most, on GPUs; a lane holds two rows of each in registers

/// The machine facts of an architecture. A work item is one iteration of a target region's parallel loop.
struct Machine {
  std::int64_t item_columns;   ///< columns of an item of a map
  std::int64_t item_rows;      ///< rows of an item of a map
  std::int64_t few_points;     ///< ... of fewer points than these its items have one row
  int reduce_threads;          ///< threads of the one team that adds up a list
  std::uint32_t subgroup;      ///< lanes that run in lockstep
  int entity_items;            ///< items of a group of entities
  std::int64_t sweep_depth;    ///< Jacobi sweeps of a pass where the case does not say; 1 where more were not measured
  std::int64_t units;          ///< multiprocessors
  std::int64_t stretch_bytes;  ///< of one, for points that each read a stretch of their own; 0: not measured
  std::int64_t sweep_bands;    ///< subgroups that work on a pass at once, each on a band of its own

  [[nodiscard]] constexpr std::int64_t rows_of(std::int64_t points) const {
    return points < few_points ? 1 : item_rows;
  }
};
constexpr Machine machine_of(Architecture architecture) {
  switch (architecture) {
    case Architecture::nvptx:
      return {1, 4, 1 << 20, 1024, 32, entity_group, sweep_depth, 132, 128 * 1024, 1056};
    case Architecture::amdgcn:
      return {1, 4, 1 << 20, 1024, 64, entity_group, 1, 104, 0, 832};
    default:
      return {512, 32, 0, 4, 4, 1, 1, 0, 0, 0};
  }
}

/// An offload device and the device memory that its reductions need.
struct Target {
  static constexpr int teams = 8, segments = 1024, groups = 32;  ///< of lists that are added up
  static constexpr std::size_t scratch_bytes = teams * (segments + groups) * sizeof(double);
  int device;
  Architecture architecture;
  void* scratch;
};

/// Runs a tiny target region on the device and says where it really ran.
Architecture probe(int device);

/// Runs a catalogue kernel as target regions and waits for it. Arguments hold device addresses.
void launch(const Target& target, const Variant& variant, const kernels::Range& range,
            const kernels::Resolved* arguments);

/// The part of it that runs the kernels of DG-CVS.
void launch_entities(const Target& target, const Variant& variant, const kernels::Range& range,
                     const kernels::Resolved* arguments);

/// Structured mapping of host memory: `map_in` copies it to the device and gives its address there; `map_out`
/// ends that, copying it back first where `changed`.
void* map_in(int device, std::byte* data, std::size_t bytes);
void map_out(int device, std::byte* data, std::size_t bytes, bool changed);

}  // namespace quoin::openmp
