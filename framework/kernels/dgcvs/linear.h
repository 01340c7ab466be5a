/* One half step of a linear law for one entity whose inner neighbours lie as those of all the others do: each old
 * entity's coefficients through a matrix that all share. `matrices` holds, slot by slot, the columns one after another.
 */
#include "kernels/dgcvs/basis.h"
QN_BODY void dgcvs_linear_point(dgcvs_linear_arguments a, qn_index e) {
  QN_GLOBAL const element* matrices = a.matrices;
  real c[LAW_VARIABLES * DG_BASIS];
  QN_UNROLL
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) c[n] = (real)((element)0);
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const lanes index = QN_LOAD_INDEX(a.neighbour, slot * a.own_pitch + e);
    for (int column = 0; column < LAW_VARIABLES * DG_BASIS; ++column) {
      const real from = QN_GATHER(a.old + column * a.old_pitch, index);
      QN_UNROLL
      for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) c[n] = QN_FMA((real)(matrices[n]), from, c[n]);
      matrices += LAW_VARIABLES * DG_BASIS;
    }
  }
  QN_UNROLL
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) QN_STORE(a.own, n * a.own_pitch + e, c[n]);
}
