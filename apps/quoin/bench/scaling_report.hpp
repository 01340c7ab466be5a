#pragma once

#include <string>

#include "runs.hpp"

namespace quoin::bench::scaling {

/// Adds to each row with figures its iteration's time, the part of it that the first rank waits, what the row is next
/// to the first of its case, and whether its bits are those of the first row of that size and
/// precision. Adds to each case the models of its rows.
void evaluate(Json& study);
std::string table(const Json& study);

}  // namespace quoin::bench::scaling
