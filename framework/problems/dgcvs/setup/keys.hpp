#pragma once

#include <vector>

#include "quoin/case.hpp"

namespace quoin {

/// Every key of the DG-CVS problem.
std::vector<Key> dgcvs_keys();
/// A case to start from.
std::vector<Override> dgcvs_starter();

}  // namespace quoin
