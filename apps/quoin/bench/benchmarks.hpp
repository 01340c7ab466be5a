#pragma once

// The benchmarks, each a file and a subcommand of `bench`.

#include "bench/study.hpp"

namespace quoin::bench {

void add_dgcvs(CLI::App& bench, Context& context);
void add_end(CLI::App& bench, Context& context);
void add_jacobi(CLI::App& bench, Context& context);
void add_krylov(CLI::App& bench, Context& context);
void add_memory(CLI::App& bench, Context& context);
void add_overhead(CLI::App& bench, Context& context);
void add_remapping(CLI::App& bench, Context& context);
void add_scaling(CLI::App& bench, Context& context);
void add_spmv(CLI::App& bench, Context& context);

}  // namespace quoin::bench
