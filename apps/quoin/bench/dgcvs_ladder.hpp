#pragma once

#include <vector>

#include "bench/study.hpp"

namespace quoin::bench::dgcvs {

/// What is timed where no case is given: orders 1 to 3 of Burgers' equation and of the linear law on 40 x 40 squares,
/// of the linear law on squares that are perturbed, so that no two entities are congruent, and of the linear law by the
/// matrices that congruent entities share.
std::vector<BenchCase> ladder();

/// The beginning of such a case: a periodic domain of so many squares a side, whose vertices are moved by up to that
/// part of one; an equation and more of the problem are to follow.
std::string squares(int cells, double perturb = 0.0);

}  // namespace quoin::bench::dgcvs
