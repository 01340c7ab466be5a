/* One node of a box of a field, to and from its place in a contiguous line. */

QN_BODY void copy_point(QN_GLOBAL const element* source, QN_GLOBAL element* target) {
  QN_STORE(target, 0, QN_LOAD(source, 0));
}
