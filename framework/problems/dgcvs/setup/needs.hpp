#pragma once

#include <cstdint>

#include "mesh/size.hpp"
#include "problems/dgcvs/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// What a run of so many steps will need; they count where frames come after so many. Of what is temporary so many
/// ranks share that.
Estimate needs_of(const DgSetup& setup, std::int64_t steps, int ranks);

/// What a run on a mesh of that size will, from the mesh to the files. `changing_sides`: states outside that
/// depend on time. `frames`: that are written. A limiter that the start will ask for is not known of.
Estimate needs_of(const Case& the_case, const HostLaw& law, const DgMethod& method, const MeshSize& mesh,
                  bool changing_sides, double frames = 1, int ranks = 1);

}  // namespace quoin
