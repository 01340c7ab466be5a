#pragma once

#include <vector>

#include "bench/study.hpp"

namespace quoin::bench::dgcvs {

/// What is timed where no case is given: orders 1 to 3 of Burgers' equation and of the linear law on 40 x 40 squares,
/// of the linear law on squares that are perturbed, so that no two entities are congruent, and of the linear law by the
/// matrices that congruent entities share.
std::vector<BenchCase> ladder();

}  // namespace quoin::bench::dgcvs
