/* The yardsticks of a kind of memory: 32-bit integers to which kernels add. kernels/declare.h says how to read this. */
/* clang-format off */

/* Without a round a launch does nothing. */
#define MEMORY_ADD_ARGUMENTS(A) \
  A(x, indices, inout, points()) \
  A(value, integer, in, none()) \
  A(rounds, integer, in, none())

/* Point (i, j) adds to element (apart i, apart j): 1 is one of its own for each, 0 is the same one for all. */
#define MEMORY_ADD_AT_ONCE_ARGUMENTS(A) \
  A(x, indices, inout, where(integer("rounds") > 0, integer("apart") == 0 ? list(1) : points())) \
  A(value, integer, in, none()) \
  A(rounds, integer, in, none()) \
  A(apart, integer, in, none())

#define MEMORY_KERNELS(K) \
  K(memory_add, map_groups, "x = x + value, round after round", MEMORY_ADD_ARGUMENTS, NO_CONSTANTS, \
    by(memory_add_cost)) \
  K(memory_atomic_add, map_groups, "the same where points of a launch share elements", MEMORY_ADD_AT_ONCE_ARGUMENTS, \
    NO_CONSTANTS, by(memory_add_cost)) \
  K(memory_shared_add, map_groups, "the same where the host adds as well, meanwhile", MEMORY_ADD_AT_ONCE_ARGUMENTS, \
    NO_CONSTANTS, by(memory_add_cost))
