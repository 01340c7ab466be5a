/* Sums of lists. */

QN_BODY int sum_stopped(sum_arguments a) { return a.slot < 0; /* never */ }

QN_BODY void sum_point(sum_arguments a, qn_index row, element sum) { *QN_AT(a.sums, a.slot + row, 0) = sum; }

QN_BODY int residual_norm_stopped(residual_norm_arguments a) { return stopped_before(a.control, a.iteration, 1); }

/* Turns the sum of r*r into the norm of an iteration. Rows may come in any order, and on devices at once: the first to
 * stop counts. */
QN_BODY void residual_norm_point(residual_norm_arguments a, qn_index row, element sum) {
  const element value = QN_SQRT(sum * a.scale) / a.divisor;
  const qn_index iteration = a.iteration + row;
  *QN_AT(a.norms, a.slot + row, 0) = value;
  /* value - value is zero unless value is infinite or not a number. */
  if ((value <= a.tolerance && iteration % a.every == 0) || !(value - value == 0)) {
    QN_LOWER(a.control, iteration);
    a.control[1] = 1;
  }
}
