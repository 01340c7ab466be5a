#pragma once

// One half step of DG-CVS for one entity, from the definition of the scheme (design: dg-cvs, sections 4 to 7): dense
// matrices, quadrature and Gaussian elimination in long double. Slow, and nothing of the kernels' text is in it.

#include "kernels/dgcvs/oracle_entities.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::conformance {

/// Polynomials of all variables of an entity about `origin`, with `ratio` times the differences to it as X and Y.
/// Coefficient n of variable v is c[v * basis + n].
struct Polynomials {
  std::vector<Wide> c;
  Spot origin;
  Wide ratio = 1;
};

/// All that the half step of one entity depends on, as the kernel gets it.
struct HalfStep {
  Law law;
  int order;
  std::vector<Wide> parameters;
  Wide step;    ///< half a time step over the entity's length
  Wide length;  ///< that
  Shape shape;
  std::vector<Polynomials> old;             ///< one a slot
  std::vector<Polynomials> behind;          ///< one a half face
  std::vector<std::vector<Wide>> outside;   ///< one a half face: [(point * points + time) * variables + variable]
  std::vector<std::vector<Wide>> bed;       ///< one a slot: at the points of the sub-quad, of A->B and of B->C
  std::vector<std::vector<Wide>> face_bed;  ///< one a half face
  std::vector<Wide> previous;               ///< the entity's own coefficients before
  int sweeps;
  bool from_mean, implicit;
};

/// The entity's new coefficients.
std::vector<Wide> solve(const HalfStep& problem);

}  // namespace quoin::conformance
