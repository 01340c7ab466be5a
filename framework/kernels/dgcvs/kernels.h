/* The space-time discontinuous Galerkin cell-vertex scheme. arguments.h tells the shapes; values of an entity lie a
 * pitch apart. kernels/declare.h says how to read this. */
/* clang-format off */
#define DGCVS_VARIABLES law_variables(constant("law"))
#define DGCVS_UNKNOWNS dgcvs_values(constant("law"), constant("order"))
#define DGCVS_SPACES dgcvs_space(constant("order"))
#define DGCVS_FACE_LANES(values) \
  (integer("remapping") & dgcvs_by_face_lane) != 0 ? all_lanes("face", integer("faces") * (values)) \
                                            : lanes_from(integer("first_lane"), integer("faces") * (values))
#define DGCVS_REMAPPING(way) where((integer("remapping") & (way)) != 0, lanes(1))
#define DGCVS_SHAPE_LANES(values) lanes_in_turn(integer("first_lane"), integer("shape_mask"), values)
#define DGCVS_STATES (DGCVS_VARIABLES * (constant("order") + 1) * (constant("order") + 1))
#define DGCVS_RHS dgcvs_rhs(constant("law"), constant("order"))

#define DGCVS_HALF_STEP_ARGUMENTS(A, RHS) \
  A(own, reals, inout, lanes(DGCVS_UNKNOWNS)) \
  A(old, reals, in, all_lanes("old", DGCVS_UNKNOWNS)) \
  A(neighbour, integers, in, lanes(integer("slots"))) \
  A(geometry, reals, in, DGCVS_SHAPE_LANES(integer("slots") * dgcvs_geometry)) \
  A(region, reals, in_optional, where(integer("whole") != 0, DGCVS_SHAPE_LANES(dgcvs_region))) \
  A(factor, reals, in, DGCVS_SHAPE_LANES(DGCVS_SPACES * (DGCVS_SPACES + 1) / 2)) \
  A(moments, reals, in, DGCVS_SHAPE_LANES(dgcvs_moments(constant("order")))) \
  A(inverse_length, reals, in, lanes(1)) \
  A(law_parameters, reals, in_optional, list(law_parameters(constant("law")))) \
  A(bed, reals, in_optional, where(law_has_bed(constant("law")), lanes(integer("slots") * dgcvs_bed(constant("order"))))) \
  A(behind, integers, in_optional, DGCVS_FACE_LANES(1)) \
  A(face, reals, in_optional, DGCVS_FACE_LANES(dgcvs_face)) \
  A(outside, reals, in_optional, DGCVS_FACE_LANES(DGCVS_STATES)) \
  A(face_bed, reals, in_optional, where(law_has_bed(constant("law")), DGCVS_FACE_LANES(constant("order") + 1))) \
  A(face_lane, integers, in_optional, DGCVS_REMAPPING(dgcvs_by_face_lane)) \
  A(sequence, integers, in_optional, DGCVS_REMAPPING(dgcvs_by_sequence)) \
  A(remapping, integer, in, none()) \
  A(slots, integer, in, none()) \
  A(faces, integer, in, none()) \
  A(sweeps, integer, in, none()) \
  A(boundary_sweeps, integer, in, none()) \
  A(from_mean, integer, in, none()) \
  A(implicit, integer, in, none()) \
  A(tau, real, in, none()) \
  A(whole, integer, in, none()) \
  A(first_lane, integer, in, none()) \
  A(shape_mask, integer, in, none()) \
  A(rhs, reals, inout_optional, RHS) \
  A(parts, integer, in, none())

#define DGCVS_UPDATE_ARGUMENTS(A) DGCVS_HALF_STEP_ARGUMENTS(A, where(integer("parts") != dgcvs_all, lanes(DGCVS_RHS)))

/* The last part of a half step by `sweeps` iterations of Newton's method, without implicit boundaries. */
#define DGCVS_NEWTON_ARGUMENTS(A) DGCVS_HALF_STEP_ARGUMENTS(A, lanes(DGCVS_RHS))

/* For the linear law (advection) and congruent entities: own = sum over slots of matrix(slot) * old(slot); column after
 * column, slot after slot. */
#define DGCVS_LINEAR_ARGUMENTS(A) \
  A(own, reals, out, lanes(DGCVS_UNKNOWNS)) \
  A(old, reals, in, all_lanes("old", DGCVS_UNKNOWNS)) \
  A(neighbour, integers, in, lanes(integer("slots"))) \
  A(matrices, reals, in, list(integer("slots") * DGCVS_UNKNOWNS * DGCVS_UNKNOWNS)) \
  A(slots, integer, in, none())

/* Where own jumps against old, makes it linear with an averaged slope. */
#define DGCVS_LIMIT_ARGUMENTS(A) \
  A(own, reals, inout, lanes(DGCVS_UNKNOWNS)) \
  A(old, reals, in, all_lanes("old", DGCVS_UNKNOWNS)) \
  A(neighbour, integers, in, lanes(integer("slots"))) \
  A(geometry, reals, in, lanes(integer("slots") * dgcvs_geometry)) \
  A(moments, reals, in, lanes(DGCVS_SPACES)) \
  A(old_moments, reals, in, all_lanes("old", DGCVS_SPACES)) \
  A(inverse_length, reals, in, lanes(1)) \
  A(threshold, reals, in, lanes(1)) \
  A(law_parameters, reals, in_optional, list(law_parameters(constant("law")))) \
  A(bed, reals, in_optional, where(law_has_bed(constant("law")), lanes(integer("slots") * dgcvs_bed(constant("order"))))) \
  A(bed_slope, reals, in_optional, where(law_has_bed(constant("law")), lanes(3))) \
  A(slots, integer, in, none()) \
  A(tau, real, in, none())

/* Of one variable at s = 0, for each entity: its integral, and the sum of its squared spatial coefficients times the
 * area. `shared`: 1 where all have the moments in lane 0, else 0. */
#define DGCVS_OBSERVE_ARGUMENTS(A) \
  A(own, reals, in, lanes(integer("space"))) \
  A(moments, reals, in, lanes_in_turn(0, integer("shared") - 1, integer("space"))) \
  A(inverse_length, reals, in, lanes(1)) \
  A(mass, reals, out, lanes(1)) \
  A(square, reals, out, lanes(1)) \
  A(space, integer, in, none()) \
  A(shared, integer, in, none())

/* law: advection, burgers, shallow_water, shallow_water_bed */
#define DGCVS_CONSTANTS(C) \
  C(law, 0, 3, 2) \
  C(order, 0, 4, 2)
#define DGCVS_NEWTON_CONSTANTS(C) \
  C(law, 0, 2, 2) \
  C(order, 0, 4, 2)
#define DGCVS_LINEAR_CONSTANTS(C) \
  C(law, 0, 0, 0) \
  C(order, 0, 4, 2)
#define DGCVS_LIMIT_CONSTANTS(C) \
  C(law, 0, 3, 2) \
  C(order, 1, 4, 2)

#define DGCVS_KERNELS(K) \
  K(dgcvs_update, own_entities, "one half step of DG-CVS", DGCVS_UPDATE_ARGUMENTS, DGCVS_CONSTANTS, \
    by(dgcvs_update_cost)) \
  K(dgcvs_newton, own_entities, "the local solves of DG-CVS by Newton's method", DGCVS_NEWTON_ARGUMENTS, \
    DGCVS_NEWTON_CONSTANTS, by(dgcvs_newton_cost)) \
  K(dgcvs_linear, own_entities, "one half step of DG-CVS by shared matrices", DGCVS_LINEAR_ARGUMENTS, \
    DGCVS_LINEAR_CONSTANTS, by(dgcvs_linear_cost)) \
  K(dgcvs_limit, own_entities, "limiter of DG-CVS", DGCVS_LIMIT_ARGUMENTS, DGCVS_LIMIT_CONSTANTS, \
    by(dgcvs_limit_cost)) \
  K(dgcvs_observe, map, "mass and square of entities", DGCVS_OBSERVE_ARGUMENTS, NO_CONSTANTS, per_point(7, 5))
