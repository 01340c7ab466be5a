#pragma once

#include <vector>

#include "problems/dgcvs/scheme/level.hpp"

namespace quoin {

/// The matrices of a half step tau of advection for entities like the level's first one: for each slot, column after
/// column, what a unit coefficient of that old entity gives. Rounded as the sweeps of the kernels round in double.
std::vector<double> shared_matrices(const DgSetup& setup, const LevelArrays& arrays, double tau);

}  // namespace quoin
