#pragma once

// What `quoin bench dgcvs` found, as JSON: a list of cases, each with a row for every backend and there the figures of
// every run (`repeats`) or an `error`.

#include "bench/figures.hpp"

namespace quoin::bench::dgcvs {

/// Adds to the study what follows from its runs: medians and extremes, rates of the operations that the kernels
/// execute, their share of what the device can do, and what each row is next to the first of its case that has figures.
void evaluate(Json& study);

/// The study for a terminal.
std::string table(const Json& study);

}  // namespace quoin::bench::dgcvs
