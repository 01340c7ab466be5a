#pragma once

#include <vector>

#include "problems/dgcvs/scheme/level.hpp"
#include "problems/dgcvs/setup/prospect.hpp"

namespace quoin {

/// The cells at time 0, before the time steps are known.
struct StartInSpace {
  std::vector<double> coefficients;  ///< [(variable * basis + n) * stride + lane], 0 where n has a power of time
  Largest largest{};                 ///< of the states at the Gauss points and corners of the cells' sub-quads
};

/// The L2 projection of the initial state; where `kept` is given, coefficients in the lanes of all cells, its
/// polynomials take the place of that. Throws ErrorKind::case_file naming a point where a state cannot be.
StartInSpace start_in_space(const DgSetup& setup, const LevelArrays& cells, const std::vector<double>& kept = {});

/// What the start and the states outside tell, looked at by this process alone and not kept; nothing of the start where
/// that is the fields of another run.
Prospect prospect_of(const DgSetup& setup);

}  // namespace quoin
