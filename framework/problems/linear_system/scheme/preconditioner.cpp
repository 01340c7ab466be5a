#include "problems/linear_system/scheme/preconditioner.hpp"

namespace quoin {

PreconditionerMethod preconditioner_method(const LinearSystemSetup& setup) {
  if (setup.preconditioner == "jacobi") return jacobi_preconditioner(setup);
  if (setup.preconditioner == "block-jacobi") return block_jacobi_preconditioner(setup);
  if (setup.preconditioner == "ilu") return ilu_preconditioner(setup);
  if (setup.preconditioner == "amg") return amg_preconditioner(setup);
  return {};
}

}  // namespace quoin
