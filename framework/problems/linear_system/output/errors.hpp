#pragma once

#include <vector>

#include "problems/linear_system/loop/solve_loop.hpp"

namespace quoin {

/// Of the elements of x, each with the same weight. Reads x from the device.
Errors errors_of(SolveLoop& loop, const LinearSystemSetup& setup, const std::vector<double>& exact);

}  // namespace quoin
