#pragma once

// What `quoin bench dgcvs` found, as JSON: a list of cases, each with a row for every backend and there the figures of
// every run (`repeats`) or an `error`, and the samples of the machine's rate in GFLOP/s.

#include "bench/figures.hpp"

namespace quoin::bench::dgcvs {

/// Adds to the study what follows from its runs: medians and extremes, rates by the nominal count of operations, the
/// share of the machine's, and what each row is next to the first of its case that has figures.
void evaluate(Json& study);

/// The study for a terminal.
std::string table(const Json& study);

}  // namespace quoin::bench::dgcvs
