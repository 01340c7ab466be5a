/* One node of a box of a field, to and from its place in a contiguous line. */

#define QN_LINE_PLACE(box, i, j) (((j) - (box).j0) * ((box).i1 - (box).i0) + ((i) - (box).i0))

QN_BODY void halo_pack_point(halo_pack_arguments a, qn_index i, qn_index j) {
  QN_STORE(a.line, QN_LINE_PLACE(a.box, i, j), QN_LOAD(QN_AT(a.u, i, j), 0));
}

QN_BODY void halo_unpack_point(halo_unpack_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.u, i, j), 0, QN_LOAD(a.line, QN_LINE_PLACE(a.box, i, j)));
}
