#pragma once

// The Krylov methods that there are.

#include "problems/linear_system/scheme/krylov_solver.hpp"

namespace quoin {

/// For symmetric, positive definite matrices. M. R. Hestenes, E. Stiefel, Methods of conjugate gradients for solving
/// linear systems, J. Res. Natl. Bur. Stand. 49 (1952) 409-436.
KrylovMethod conjugate_gradients();

}  // namespace quoin
