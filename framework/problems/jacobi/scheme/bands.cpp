#include "problems/jacobi/scheme/bands.hpp"

#include "problems/overlap.hpp"
#include "quoin/kernel_entry.hpp"

namespace quoin {

Bands bands_of(const JacobiSetup& setup, const Communicator& ranks, const Executor& executor) {
  const std::int64_t rows = setup.device_rows();
  const Strips strips(setup.grid.rows(), ranks.size());
  const std::int64_t lower = strips.below(ranks.rank()) ? block_rows : 0;
  const std::int64_t upper = rows - (strips.above(ranks.rank()) ? block_rows : 0);
  const bool one_launch = setup.beyond_poisson || setup.grid.in_space() ||
                          setup.method.solver == JacobiSolver::multigrid ||
                          setup.method.variant == JacobiVariant::classic;
  if (one_launch || !overlaps(setup.the_case(), executor) || lower >= upper) return {{{0, rows}}};
  Bands bands;
  if (lower > 0) bands.rows.push_back({0, lower});
  bands.inner = bands.rows.size();
  bands.rows.push_back({lower, upper});
  if (upper < rows) bands.rows.push_back({upper, rows});
  return bands;
}

}  // namespace quoin
