#pragma once

#include <vector>

#include "problems/dgcvs/scheme/level.hpp"

namespace quoin {

/// Gives the coefficients of start_in_space() those in time: by the predictor, which solves the law in the weak sense
/// inside each cell for half a step `tau`. `kept` is what that got.
void predict_start(const DgSetup& setup, const LevelArrays& cells, double tau, const std::vector<double>& kept,
                   std::span<double> coefficients);

}  // namespace quoin
