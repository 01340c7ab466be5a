#pragma once

#include <functional>

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "problems/jacobi/setup/setup.hpp"

namespace quoin {

/// Of the iterate, in double and with source and sides in double: what it leaves of the problem as it is stated,
/// whatever the run computes in.
struct TrueResidual {
  double norm;
  double largest;  ///< absolute value at a node
};
TrueResidual true_residual(const IterationLoop& loop);

/// Throws ErrorKind::case_file where residuals as small as the tolerance have squares that the precision of the run
/// does not hold any more: their sum would be 0, which says nothing. `largest` is asked for the largest residual at the
/// start where the tolerance is 0, as a share of such a sum is.
void require_squares(const JacobiSetup& setup, double tolerance, const std::function<double()>& largest);

}  // namespace quoin
