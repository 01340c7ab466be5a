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
/// The same with the square of the polynomial of bicg: its residual swings more, and where it has become large, x has
/// lost as many digits; right preconditioned. P. Sonneveld, CGS, a fast Lanczos-type solver for nonsymmetric
/// linear systems, SIAM J. Sci. Stat. Comput. 10 (1989) 36-52.
KrylovMethod cgs();
/// For any square matrix, of which it stores the transpose as well: a product with each an iteration. Of a symmetric
/// matrix its residuals are those of conjugate gradients. R. Fletcher, Conjugate gradient methods for indefinite
/// systems, Lecture Notes in Mathematics 506 (1976) 73-89.
KrylovMethod bicg();
/// For any square matrix: the residual never grows, but every iteration keeps a vector until the method starts again
/// after method.restart of them; right preconditioned. Y. Saad, M. H. Schultz, GMRES, SIAM J. Sci. Stat. Comput. 7
/// (1986) 856-869. Each vector is orthogonalised twice, which is as good as modified Gram-Schmidt and takes two lists
/// of dot products in place of one after the other.
KrylovMethod gmres(const LinearSystemSetup& setup);
/// x = x + method.damping M r: converges where the eigenvalues of method.damping M A are less than 1 away from 1. L. F.
/// Richardson, The approximate arithmetical solution by finite differences of physical problems, Philos. Trans. R. Soc.
/// A 210 (1911) 307-357.
KrylovMethod richardson();

}  // namespace quoin
