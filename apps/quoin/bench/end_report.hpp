#pragma once

#include <string>

#include "runs.hpp"

namespace quoin::bench::end {

/// Adds to each row with figures the seconds of its parts, `all` and `beside_loop`, the time over that of the loop
/// (`over_loop`), and whether it is what the case's goal must be.
void evaluate(Json& study);
std::string table(const Json& study);

}  // namespace quoin::bench::end
