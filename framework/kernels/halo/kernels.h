/* Boxes of fields as lines, for what leaves a rank and comes from others. kernels/declare.h says how to read this. */
/* clang-format off */
#define HALO_PACK_ARGUMENTS(A) \
  A(u, reals, in, points()) \
  A(line, reals, out, list(box.points()))

#define HALO_UNPACK_ARGUMENTS(A) \
  A(line, reals, in, list(box.points())) \
  A(u, reals, out, points())

#define HALO_KERNELS(K) \
  K(halo_pack, map, "a box of a field into a line, row by row", HALO_PACK_ARGUMENTS, NO_CONSTANTS, per_point(2, 0)) \
  K(halo_unpack, map, "a line into a box of a field", HALO_UNPACK_ARGUMENTS, NO_CONSTANTS, per_point(2, 0))
