#include "problems/dgcvs/setup/method_keys.hpp"

#include <string>

namespace quoin {

std::vector<Key> dgcvs_method_keys() {
  std::vector<Key> keys;
  keys.push_back({.path = "method.order",
                  .type = KeyType::integer,
                  .fallback = "3",
                  .meaning = "Total degree p of the space-time polynomials; errors fall like h^(p+1).",
                  .minimum = 0.0,
                  .maximum = 4.0});
  keys.push_back({.path = "method.precision",
                  .type = KeyType::choice,
                  .fallback = "double",
                  .meaning = "Arithmetic of the kernels and of the stored fields; float up to order 2.",
                  .choices = {"double", "float"}});
  keys.push_back(
      {.path = "method.cfl",
       .type = KeyType::real,
       .meaning =
           "Courant number, which holds for the largest wave speed: where waves speed up, shorter time steps "
           "are taken. Where it is not given, what is stable over long times, by 5 to 12 %, for the law, the order, "
           "the shapes of the cells, and whether there are walls: on squares, for orders 1 to 4, 0.57, 0.45, "
           "0.275 and 0.25 for advection along an axis, and 1.4 times as much along the diagonal and for "
           "Burgers' equation; for shallow water 1.12, 0.77, 0.55 and 0.42, with walls 0.96, 0.51, 0.256 and "
           "0.166. With a limiter, or where triangles and quadrilaterals are mixed, 0.9, 0.5, 0.4, 0.25 and "
           "0.25 for orders 0 to 4, and 0.15 for order 4 with walls.",
       .minimum = 0.0,
       .maximum = 2.0,
       .above_minimum = true});
  keys.push_back(
      {.path = "method.time_step",
       .type = KeyType::real,
       .meaning = "Time step in place of `cfl`: final_time is divided into equal steps of this length at most, which "
                  "stay the same however fast waves become. One that is longer than the stable one gives a warning.",
       .minimum = 0.0,
       .above_minimum = true});
  keys.push_back({.path = "method.final_time",
                  .type = KeyType::real,
                  .required = true,
                  .meaning = "The run goes from time 0 to this time.",
                  .minimum = 0.0,
                  .above_minimum = true,
                  .changeable = true});
  keys.push_back({.path = "method.max_steps",
                  .type = KeyType::integer,
                  .meaning =
                      "The run ends after so many steps, with status max_steps, where final_time lies beyond; the step "
                      "stays the same.",
                  .unit = "steps",
                  .minimum = 1.0,
                  .maximum = 1e12,
                  .changeable = true});
  keys.push_back(
      {.path = "method.solver",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning =
           "Local solve by sweeps; by Newton's method (newton), which gives the same solution and takes "
           "longer; or, for advection on a mesh whose inner cells and inner vertices are each congruent, by "
           "one matrix a neighbour made once (matrices). auto takes matrices where it can and neither `sweeps` nor "
           "split `loops` are asked for, else sweeps. Entities with an implicit boundary do sweeps.",
       .choices = {"auto", "sweeps", "newton", "matrices"}});
  keys.push_back({.path = "method.sweeps",
                  .type = KeyType::integer,
                  .fallback = "0",
                  .meaning =
                      "Sweeps of each local solve; 0 takes order + 1, which is exact for a linear law, and order "
                      "+ 2 for any other at order 4; over a bed twice the order, or 1 at order 0. Entities with an "
                      "implicit boundary do 9 at least, 5 at order 0 and 13 at "
                      "order 4, and where there are walls 5, 9, 13, 17 and 21 by order, but for `limiter: always`.",
                  .minimum = 0.0,
                  .maximum = 1000.0});
  keys.push_back({.path = "method.newton_iterations",
                  .type = KeyType::integer,
                  .fallback = "0",
                  .meaning = "Iterations of each local solve; 0 takes 1 for a linear law, which is exact, else 5.",
                  .minimum = 0.0,
                  .maximum = 100.0,
                  .when = {"method.solver", {"newton"}}});
  keys.push_back({.path = "method.loops",
                  .type = KeyType::choice,
                  .fallback = "fused",
                  .meaning =
                      "The loops of a half step: all in one launch, or the lateral fluxes, the integrals over the "
                      "sub-quads and the solves of the entities each in a launch of its own (split), timed apart, with "
                      "the same bits. Shared matrices have one loop.",
                  .choices = {"fused", "split"},
                  .changeable = true});
  keys.push_back(
      {.path = "method.limiter",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning =
           "What keeps shocks from ringing, after each half step: nothing, a linear polynomial of weighted "
           "slopes where the first variable jumps from one half step to the next (indicator), or that "
           "everywhere (always), which costs smooth flows their order; auto is always for shallow water of order 1 or "
           "more where depths at the start differ by half and more from one cell to the next, else none; none where "
           "the run starts from the fields of "
           "another.",
       .choices = {"auto", "none", "indicator", "always"}});
  keys.push_back({.path = "method.limiter_threshold",
                  .type = KeyType::real,
                  .fallback = "0.3",
                  .meaning =
                      "Jump that the indicator takes for a shock, relative to the largest value nearby, over the "
                      "square root of the entity's width to the order + 1; smaller limits more.",
                  .minimum = 0.0,
                  .above_minimum = true,
                  .when = {"method.limiter", {"indicator"}}});
  keys.push_back({.path = "method.entities",
                  .type = KeyType::choice,
                  .fallback = "auto",
                  .meaning =
                      "How entities of the boundary, which have more to do, are kept apart from the others, with the "
                      "same fields to the bit: numbered last, in launches of their own (boundary_last) or in one "
                      "launch for all, in which each entity takes its branch (boundary_last_together); or numbered "
                      "in the order of the mesh, in one launch that goes in this order (mesh_order) or, on a GPU, by "
                      "a list that has those of the boundary last (mesh_order_indexed). One launch goes with sweeps "
                      "alone, and each entity then has a shape of its own. auto has them last, in one launch where all "
                      "do sweeps by fused `loops` and there are 4096 cells or fewer.",
                  .choices = {"auto", "boundary_last", "boundary_last_together", "mesh_order", "mesh_order_indexed"}});
  return keys;
}

}  // namespace quoin
