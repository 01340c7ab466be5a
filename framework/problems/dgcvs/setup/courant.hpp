#pragma once

#include "mesh/staggered.hpp"
#include "problems/dgcvs/setup/law.hpp"

namespace quoin {

/// What the stable Courant number depends on, besides the mesh.
struct CourantCase {
  int order;
  bool walls;    ///< of some side
  bool limited;  ///< the solution, after each half step
};

/// A Courant number that is stable over long times, with a margin: what a case gets that gives none. `unit_step` as
/// DgSetup has it.
double stable_cfl(const HostLaw& law, const CourantCase& the_case, const Staggered& staggered, double unit_step);

}  // namespace quoin
