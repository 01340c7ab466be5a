#pragma once

// The Krylov methods that there are.

#include "problems/linear_system/scheme/krylov_solver.hpp"

namespace quoin {

/// For symmetric, positive definite matrices. M. R. Hestenes, E. Stiefel, Methods of conjugate gradients for solving
/// linear systems, J. Res. Natl. Bur. Stand. 49 (1952) 409-436.
KrylovMethod conjugate_gradients();
/// For any square matrix, with two products an iteration and few vectors; right preconditioned. H. A. van der Vorst,
/// Bi-CGSTAB, SIAM J. Sci. Stat. Comput. 13 (1992) 631-644.
KrylovMethod bicgstab();
/// For any square matrix: the residual never grows, but every iteration keeps a vector until the method starts again
/// after method.restart of them; right preconditioned. Y. Saad, M. H. Schultz, GMRES, SIAM J. Sci. Stat. Comput. 7
/// (1986) 856-869. Each vector is orthogonalised twice, which is as good as modified Gram-Schmidt and takes two lists
/// of dot products in place of one after the other.
KrylovMethod gmres(const LinearSystemSetup& setup);

}  // namespace quoin
