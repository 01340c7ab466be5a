#pragma once

// Transfers between grids for CPU backends, a row at a time: what lies along rows is done in packs, and only what goes
// from the columns of one grid to those of the other is done one by one. The operations at a node are those of the
// bodies: so are the bits.

#include "kernels/dialect/pack.hpp"
#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Values of a row that are kept in the first cache between the two steps.
inline constexpr qn_index transfer_columns = 1024;

/// value(real, k) for each column k, in packs as far as they go.
template <class T, int Width, class Value>
QN_CALL void fill_columns(T* target, qn_index count, const Value& value) {
  qn_index k = 0;
  for (; k + Width <= count; k += Width)
    Access<Pack<T, Width>>::store(target + k, value.template at<Pack<T, Width>>(k));
  for (; k < count; ++k) target[k] = value.template at<T>(k);
}

/// The weighted means of the residuals down the columns from `column` on of the finer grid.
template <class T, bool RhsArray>
struct ColumnMeans {
  const RestrictPoint<T, RhsArray>& p;
  qn_index column, j;
  template <class real>
  QN_CALL real at(qn_index k) const {
    real mean = real(T(0));
    for (qn_index t = 0; t < p.rows.count; ++t) {
      const qn_index row = p.rows.at[j] + t;
      real rhs = real(p.f_constant);
      if constexpr (RhsArray) rhs = Access<real>::load(p.f.at(column + k, row));
      const real residual = Bodies<real, T>::jacobi_residual(p.u.at(column + k, row), p.u.pitch, rhs, real(p.a),
                                                             real(p.b), real(p.diagonal));
      mean = qn_fma(real(p.rows.weights[t * p.rows.pitch + j]), residual, mean);
    }
    return mean;
  }
};

template <int Width, class T, bool RhsArray>
inline void map_row(const RestrictPoint<T, RhsArray>& p, qn_index i, qn_index end, qn_index j) {
  const RestrictionTable<T>& columns = p.columns;
  alignas(64) T means[transfer_columns];
  while (i < end) {
    const qn_index first = columns.at[i];
    qn_index last = i;
    while (last + 1 < end && columns.at[last + 1] + columns.count <= first + transfer_columns) ++last;
    fill_columns<T, Width>(means, columns.at[last] + columns.count - first, ColumnMeans<T, RhsArray>{p, first, j});
    for (; i <= last; ++i) {
      T mean = T(0);
      for (qn_index s = 0; s < columns.count; ++s)
        mean = qn_fma(columns.weights[s * columns.pitch + i], means[columns.at[i] - first + s], mean);
      *p.coarse_f.at(i, j) = mean;
      *p.coarse_u.at(i, j) = p.weight * mean;
    }
  }
}

/// What lies between two rows of the coarse grid, from `column` on.
template <class T>
struct BetweenRows {
  const typename Declared<T>::jacobi_prolong_arguments& a;
  qn_index column, j;
  template <class real>
  QN_CALL real at(qn_index k) const {
    const T* below = QN_AT(a.coarse_u, column + k, a.rows[j]);
    return Bodies<real, T>::between(Access<real>::load(below), Access<real>::load(below + a.coarse_u_pitch),
                                    real(a.down[j]));
  }
};

template <int Width, class T>
inline void map_row(const jacobi_prolong_call<T>& p, qn_index i, qn_index end, qn_index j) {
  const auto& a = p.a;
  alignas(64) T coarse[transfer_columns];
  while (i < end) {
    const qn_index first = a.columns[i];
    qn_index last = i;
    while (last + 1 < end && a.columns[last + 1] + 2 <= first + transfer_columns) ++last;
    fill_columns<T, Width>(coarse, a.columns[last] + 2 - first, BetweenRows<T>{a, first, j});
    T* u = QN_AT(a.u, 0, j);
    for (; i <= last; ++i) {
      const T* left = coarse + (a.columns[i] - first);
      u[i] = u[i] + Bodies<T, T>::between(left[0], left[1], a.across[i]);
    }
  }
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
