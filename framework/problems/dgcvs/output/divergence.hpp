#pragma once

#include <string>

#include "problems/dgcvs/loop/time_loop.hpp"

namespace quoin {

/// Of a loop that has diverged: where, and what to do.
std::string diverged_message(const TimeLoop& loop);

}  // namespace quoin
