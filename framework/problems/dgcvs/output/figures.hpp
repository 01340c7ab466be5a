#pragma once

#include <vector>

#include "problems/dgcvs/loop/time_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// What a run adds to the summary.
std::vector<Figure> figures_of(const TimeLoop& loop);

}  // namespace quoin
