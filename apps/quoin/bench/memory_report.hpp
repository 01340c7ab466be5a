#pragma once

// What the benchmark of kinds of memory says of its figures.

#include <string>

#include "runs.hpp"

namespace quoin::bench::memory {

/// Adds what follows from the runs of cases that there are.
void evaluate(Json& study);

/// The page that the benchmark prints.
std::string table(const Json& study);

}  // namespace quoin::bench::memory
