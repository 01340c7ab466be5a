/* One half step of a linear law for one entity whose inner neighbours lie as those of all the others do: each old
 * entity's coefficients through a matrix that all share. `matrices` holds, slot by slot, the columns one after another.
 * The unknowns are found some at a time: as many as have their sums in registers. */
#include "kernels/dgcvs/basis.h"
#undef LINEAR_UNKNOWNS
#undef LINEAR_SUMS
#define LINEAR_UNKNOWNS (LAW_VARIABLES * DG_BASIS)
#define LINEAR_SUMS QN_IN_REGISTERS(LINEAR_UNKNOWNS)
QN_BODY void dgcvs_linear_point(dgcvs_linear_arguments a, qn_index e) {
  for (int first = 0; first < LINEAR_UNKNOWNS; first += LINEAR_SUMS) {
    QN_GLOBAL const element* matrices = a.matrices + first;
    real c[LINEAR_SUMS];
    QN_UNROLL
    for (int n = 0; n < LINEAR_SUMS; ++n) c[n] = (real)((element)0);
    for (qn_index slot = 0; slot < a.slots; ++slot) {
      const lanes index = QN_LOAD_INDEX(a.neighbour, slot * a.own_pitch + e);
      QN_BY_FOUR
      for (int column = 0; column < LINEAR_UNKNOWNS; ++column) {
        const real from = QN_GATHER(a.old + column * a.old_pitch, index);
        QN_UNROLL
        for (int n = 0; n < LINEAR_SUMS; ++n) c[n] = QN_FMA((real)(matrices[n]), from, c[n]);
        matrices += LINEAR_UNKNOWNS;
      }
    }
    QN_UNROLL
    for (int n = 0; n < LINEAR_SUMS; ++n) QN_STORE(a.own, (first + n) * a.own_pitch + e, c[n]);
  }
}
