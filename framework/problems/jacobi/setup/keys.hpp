#pragma once

#include <vector>

#include "quoin/case.hpp"

namespace quoin {

/// Every `problem.*` and `method.*` key of the Jacobi problem.
std::vector<Key> jacobi_keys();
/// A case to start from.
std::vector<Override> jacobi_starter();

}  // namespace quoin
