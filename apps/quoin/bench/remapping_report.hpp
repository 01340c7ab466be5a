#pragma once

// What the benchmark of remapped entities says of its figures.

#include <string>

#include "runs.hpp"

namespace quoin::bench::remapping {

/// Adds what follows from the runs that there are.
void evaluate(Json& study);

/// The page that the benchmark prints.
std::string table(const Json& study);

}  // namespace quoin::bench::remapping
