#pragma once

#include <string>

#include "problems/linear_system/loop/solve_loop.hpp"

namespace quoin {

/// What a user should know of how the run has ended; empty where that is nothing.
std::string message_of(const SolveLoop& loop);

}  // namespace quoin
