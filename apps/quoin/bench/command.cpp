#include "bench/benchmarks.hpp"

namespace quoin {

void add_bench(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand("bench", "Time cases on several backends, in turn and repeatedly");
  command.require_subcommand(1);
  bench::add_jacobi(command, context);
  bench::add_dgcvs(command, context);
  bench::add_krylov(command, context);
  bench::add_spmv(command, context);
  bench::add_scaling(command, context);
  bench::add_remapping(command, context);
  bench::add_memory(command, context);
  bench::add_overhead(command, context);
  bench::add_end(command, context);
}

}  // namespace quoin
