#pragma once

#include <vector>

#include "problems/dgcvs/scheme/level.hpp"

namespace quoin {

/// Coefficients of the cells at time 0, [(variable * basis + n) * stride + lane]: the L2 projection of the initial
/// state in space; in time the predictor, which solves the law in the weak sense inside each cell for half a step
/// `tau`. Where `kept` is given, such coefficients in the lanes of all cells, its polynomials in space take the place
/// of the projection.
std::vector<double> initial_coefficients(const DgSetup& setup, const LevelArrays& cells, double tau,
                                         const std::vector<double>& kept = {});

}  // namespace quoin
