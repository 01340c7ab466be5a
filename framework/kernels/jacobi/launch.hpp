#pragma once

// The Jacobi kernels that are compiled for each value of `rhs_array`.

#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Nodes of a finer grid that each of a coarser one stands for: the first by `at`, then the weights of that and those
/// after it, `pitch` apart.
template <class T>
struct RestrictionTable {
  const qn_index* at;
  const T* weights;
  qn_index pitch, count;
};

template <class T, bool RhsArray>
struct RestrictPoint {
  static constexpr bool packs = false;
  View<const T> u, f;
  View<T> coarse_u, coarse_f;
  RestrictionTable<T> columns, rows;
  T a, b, diagonal, f_constant, weight;
  template <class real>
  QN_CALL void at(qn_index i, qn_index j) const {
    // Where it is known how many nodes count each way, what their residuals share is loaded once: three on grids that
    // halve evenly, four on others.
    if (columns.count == 3 && rows.count == 3) {
      mean_of(i, j, 3, 3);
    } else if (columns.count == 4 && rows.count == 4) {
      mean_of(i, j, 4, 4);
    } else {
      mean_of(i, j, columns.count, rows.count);
    }
  }

 private:
  QN_CALL void mean_of(qn_index i, qn_index j, qn_index across, qn_index down) const {
    const qn_index column = columns.at[i];
    const qn_index row = rows.at[j];
    Bodies<T, T>::jacobi_restrict_point(u.at(column, row), u.pitch, RhsArray ? f.at(column, row) : nullptr, f.pitch,
                                        f_constant, RhsArray, a, b, diagonal, columns.weights + i, columns.pitch,
                                        across, rows.weights + j, rows.pitch, down, weight, coarse_f.at(i, j),
                                        coarse_u.at(i, j));
  }
};

template <class Skeleton>
struct Own<KernelId::jacobi_sweeps, Skeleton> {
  template <class T>
  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& box, const Resolved* given) {
    variant.constants[jacobi_sweeps_constant::rhs_array] != 0 ? launch<T, true>(skeleton, variant, box, given)
                                                              : launch<T, false>(skeleton, variant, box, given);
  }

 private:
  template <class T, bool RhsArray>
  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& box, const Resolved* given) {
    const auto a = bind_jacobi_sweeps<T>(box, given);
    const SweepPass<T, RhsArray> pass{{a.u, a.u_pitch},
                                      {a.f, a.f_pitch},
                                      {a.u_new, a.u_new_pitch},
                                      {a.partials, a.partials_pitch},
                                      a.weights,
                                      a.a,
                                      a.b,
                                      a.diagonal,
                                      a.f_constant,
                                      a.count,
                                      box,
                                      a.below,
                                      a.above};
    const qn_index* const control = stop_jacobi_sweeps(given);
    if constexpr (requires { skeleton.sweep(pass, control); }) {
      if (variant.constants[jacobi_sweeps_constant::depth] > 1) return skeleton.sweep(pass, control);
    }
    skeleton.template map_blocks<T>(box, pass.partials, control, SweepPoint<T, RhsArray>{pass});
  }
};

template <class Skeleton>
struct Own<KernelId::jacobi_restrict, Skeleton> {
  template <class T>
  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& box, const Resolved* given) {
    variant.constants[jacobi_restrict_constant::rhs_array] != 0 ? launch<T, true>(skeleton, box, given)
                                                                : launch<T, false>(skeleton, box, given);
  }

 private:
  template <class T, bool RhsArray>
  static void launch(const Skeleton& skeleton, const Range& box, const Resolved* given) {
    const auto a = bind_jacobi_restrict<T>(box, given);
    const RestrictPoint<T, RhsArray> point{{a.u, a.u_pitch},
                                           {a.f, a.f_pitch},
                                           {a.coarse_u, a.coarse_u_pitch},
                                           {a.coarse_f, a.coarse_f_pitch},
                                           {a.columns, a.across, a.across_pitch, a.across_count},
                                           {a.rows, a.down, a.down_pitch, a.down_count},
                                           a.a,
                                           a.b,
                                           a.diagonal,
                                           a.f_constant,
                                           a.weight};
    skeleton.template map<T>(box, stop_jacobi_restrict(given), point);
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
