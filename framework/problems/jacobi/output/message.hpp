#pragma once

#include <string>

#include "problems/jacobi/loop/iteration_loop.hpp"

namespace quoin {

/// In words, the middle of the nodes whose values are not finite: what one of them spoils spreads evenly around it.
/// Empty where all are finite.
std::string where_not_finite(const IterationLoop& loop);

/// What to say of a run that did not end as the case asks; empty of another.
std::string message_of(const IterationLoop& loop);

}  // namespace quoin
