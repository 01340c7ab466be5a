#pragma once

#include <vector>

#include "quoin/case.hpp"

namespace quoin {

std::vector<Key> linear_system_keys();

}  // namespace quoin
