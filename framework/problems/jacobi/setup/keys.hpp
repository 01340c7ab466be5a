#pragma once

#include <vector>

#include "quoin/case.hpp"

namespace quoin {

/// Every `problem.*` and `method.*` key of the Jacobi problem.
std::vector<Key> jacobi_keys();

}  // namespace quoin
