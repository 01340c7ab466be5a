#include "problems/jacobi/scheme/sweeps.hpp"

#include "problems/jacobi/scheme/alternating_sweeps.hpp"
#include "problems/jacobi/scheme/classic_sweeps.hpp"
#include "problems/jacobi/scheme/diffusion_sweeps.hpp"
#include "problems/jacobi/scheme/multigrid.hpp"

namespace quoin {

Pass pass_of(const Executor& executor, const JacobiSetup& setup, Communicator& ranks) {
  if (setup.beyond_poisson || setup.grid.in_space()) return diffusion_pass(executor, setup);
  if (setup.method.solver == JacobiSolver::multigrid) return multigrid_pass(executor, setup, ranks);
  if (setup.method.variant == JacobiVariant::classic) return classic_pass();
  return alternating_pass(executor, setup, ranks);
}

std::vector<KernelSpec> sweeps_kernels(const Executor& executor, const JacobiSetup& setup) {
  if (setup.beyond_poisson || setup.grid.in_space()) return diffusion_kernels(executor, setup);
  if (setup.method.solver == JacobiSolver::multigrid) return multigrid_kernels(executor, setup);
  if (setup.method.variant == JacobiVariant::classic) return classic_kernels(setup);
  return alternating_kernels(executor, setup);
}

double sweeps_bytes(const JacobiSetup& setup) {
  if (setup.beyond_poisson || setup.grid.in_space()) return diffusion_bytes(setup);
  if (setup.method.solver == JacobiSolver::multigrid) return multigrid_bytes(setup);
  if (setup.method.variant == JacobiVariant::classic) return classic_bytes(setup);
  return alternating_bytes(setup);
}

std::unique_ptr<JacobiSweeps> make_sweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                          Communicator& ranks, Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  if (setup.beyond_poisson || setup.grid.in_space()) return make_diffusion(executor, setup, queue, norm, timer);
  if (setup.method.solver == JacobiSolver::multigrid) return make_multigrid(executor, setup, ranks, queue, norm, timer);
  if (setup.method.variant == JacobiVariant::classic) return make_classic(executor, setup, ranks, queue, norm, timer);
  return make_alternating(executor, setup, ranks, queue, norm, timer);
}

}  // namespace quoin
