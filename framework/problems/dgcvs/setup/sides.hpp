#pragma once

// What holds at the sides of the mesh.

#include <memory>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "problems/dgcvs/setup/law.hpp"
#include "problems/dgcvs/setup/series.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// As the kernels number them (kernels/dgcvs/arguments.h).
enum class SideKind { discharge = -2, stage = -1, dirichlet = 0, open = 1, wall = 2 };
/// Whether states outside are given, of which a stage is the surface alone, and a discharge that.
inline bool state_given(SideKind kind) { return kind != SideKind::open && kind != SideKind::wall; }

struct SideCondition {
  /// Open only for sides that are joined, which have no faces. What cases call open is dirichlet, too:
  /// waves leave by upwinding, and what comes in is as it was at time 0.
  SideKind kind = SideKind::open;
  std::string path;  ///< of the outer state's section; empty where that is the exact solution
  bool uses_time = false;
  std::shared_ptr<const TimeSeries> series{};  ///< of a stage or a discharge
};

/// A half face of the boundary: its ends in the plane and its side, -1 where there is none.
struct HalfFace {
  Point from, to;
  int side = -1;
};

/// A key of what holds at the side of that name.
std::string side_key(const std::string& side, const char* key);

/// The conditions by the mesh's number. Throws ErrorKind::case_file for a side without one, or with one that the law
/// does not have.
std::vector<SideCondition> sides_of(const Case& the_case, const HostLaw& law, const Mesh& mesh,
                                    const Expression::Constants& constants);

}  // namespace quoin
