/* One half step of a linear law for one entity whose inner neighbours lie as those of all the others do: each old
 * entity's coefficients through a matrix that all share. `matrices` holds, slot by slot, the columns one after another.
 */
#include "kernels/dgcvs/basis.h"
QN_BODY void dgcvs_linear_point(QN_GLOBAL element* own, qn_index stride, QN_GLOBAL const element* old,
                                qn_index old_stride, QN_GLOBAL const qn_index* neighbour,
                                QN_GLOBAL const element* matrices, qn_index slots, qn_index e) {
  real c[LAW_VARIABLES * DG_BASIS];
  QN_UNROLL
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) c[n] = (real)((element)0);
  for (qn_index slot = 0; slot < slots; ++slot) {
    const lanes index = QN_LOAD_INDEX(neighbour, slot * stride + e);
    for (int column = 0; column < LAW_VARIABLES * DG_BASIS; ++column) {
      const real from = QN_GATHER(old + column * old_stride, index);
      QN_UNROLL
      for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) c[n] = QN_FMA((real)(matrices[n]), from, c[n]);
      matrices += LAW_VARIABLES * DG_BASIS;
    }
  }
  QN_UNROLL
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) QN_STORE(own, n * stride + e, c[n]);
}
