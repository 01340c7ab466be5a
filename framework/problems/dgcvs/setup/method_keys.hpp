#pragma once

#include <vector>

#include "quoin/case.hpp"

namespace quoin {

/// The keys of the section `method`.
std::vector<Key> dgcvs_method_keys();

}  // namespace quoin
