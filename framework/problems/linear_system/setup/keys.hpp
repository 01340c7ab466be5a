#pragma once

#include <vector>

#include "quoin/case.hpp"

namespace quoin {

std::vector<Key> linear_system_keys();
/// A case to start from.
std::vector<Override> linear_system_starter();

}  // namespace quoin
