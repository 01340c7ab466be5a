#pragma once

// What `quoin bench jacobi` found, as JSON: a list of cases, each with a row for every backend, variant and precision
// (`rows`) and there the figures of every run (`repeats`) or an `error`.

#include "bench/figures.hpp"

namespace quoin::bench::jacobi {

/// Adds to the study what follows from its runs: the best rate of each device's triad; medians and extremes of an
/// iteration's time in microseconds; what each row is next to `classic` of its backend, in double where the study has
/// that, and to the one-sweep roofline; whether it has the bits of the first row of its case in that precision.
void evaluate(Json& study);

/// The study for a terminal.
std::string table(const Json& study);

}  // namespace quoin::bench::jacobi
