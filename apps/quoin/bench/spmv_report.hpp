#pragma once

// What the runs of `bench spmv` say, and its table.

#include <string>

#include "bench/figures.hpp"

namespace quoin::bench::spmv {

/// Adds what follows from the runs of each row.
void evaluate(Json& study);
std::string table(const Json& study);

}  // namespace quoin::bench::spmv
