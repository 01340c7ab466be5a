#pragma once

#include "mesh/size.hpp"
#include "problems/dgcvs/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// What a run on a mesh of that size will need, from the mesh to the files. `changing_sides`: states outside that
/// depend on time. `frames`: that are written.
Estimate needs_of(const Case& the_case, const HostLaw& law, const DgMethod& method, const MeshSize& mesh,
                  bool changing_sides, double frames = 1);

}  // namespace quoin
