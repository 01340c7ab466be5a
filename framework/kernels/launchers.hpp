#pragma once

// Every catalogue kernel for backends written in C++, HIP or CUDA: the arguments are unpacked, the body
// is bound to them, and the backend's skeleton runs it over the points. A skeleton is a class with
//
//   template <class T, class Point> void map(const Range&, const qn_index* control, const Point&) const;
//     calls point.template at<real>(i, j) for each point of the range, where real is T, or a pack of T
//     that covers columns i to i + Width - 1 if Point::packs allows it
//   template <class T, class Point> void map_blocks(const Range&, View<T> partials, const qn_index* control,
//                                                   const Point&) const;
//     the same; at() returns a value, and the sum over each block of 16 x 32 points goes to partials
//   template <class T, class Point> void reduce(const Range&, View<const T> lists, const Point&) const;
//     calls point(k, sum) for each row j0 + k of the range with the sum of its columns over the pairwise tree; does
//     nothing where point.stopped() when the launch begins
//   template <class T, bool RhsArray> void sweep(const SweepsPoint<T, RhsArray>&, const qn_index* control) const;
//     only where a pass of the backend can hold several sweeps; one alone is a map_blocks()
//
// and which, but for reduce, does nothing where `control` is not null and control[0] is not zero when the launch runs.

#include "kernels/dialect/cpp.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::kernels {

/// The points [i0, i1) x [j0, j1).
struct Range {
  std::int64_t i0, i1, j0, j1;
};

/// An argument with its memory resolved to an address.
struct Resolved {
  void* data;
  std::int64_t pitch;
  double real;
  std::int64_t integer;
};

inline namespace QN_ISA {

/// A field: element (0, 0) and the distance between rows.
template <class T>
struct View {
  T* origin;
  qn_index pitch;
  QN_CALL T* at(qn_index i, qn_index j) const { return origin + j * pitch + i; }
};

template <class T>
struct LaplacianPoint {
  static constexpr bool packs = true;
  View<const T> u;
  View<T> au;
  T a, b, diagonal;
  template <class real>
  QN_CALL void at(qn_index i, qn_index j) const {
    Bodies<real, T>::jacobi_laplacian_point(u.at(i, j), u.pitch, au.at(i, j), real(a), real(b), real(diagonal));
  }
};

/// The same operator on the nodes next to the sides of `box`, addressed by their number (k, 0).
template <class T>
struct BoundaryPoint {
  static constexpr bool packs = false;
  LaplacianPoint<T> point;
  Range box;
  template <class real>
  QN_CALL void at(qn_index k, qn_index) const {
    qn_index row = 0;
    const qn_index column = Bodies<T, T>::rim_node(k, box.i1 - box.i0, box.j1 - box.j0, &row);
    point.template at<T>(box.i0 + column, box.j0 + row);
  }
};

template <class T>
struct UpdatePoint {
  static constexpr bool packs = true;
  View<T> u;
  View<const T> f, au;
  View<T> r;
  T weight;
  template <class real>
  QN_CALL void at(qn_index i, qn_index j) const {
    Bodies<real, T>::jacobi_update_point(u.at(i, j), Access<real>::load(f.at(i, j)), au.at(i, j), r.at(i, j),
                                         real(weight));
  }
};

template <class T>
struct SquarePoint {
  static constexpr bool packs = true;
  View<const T> r;
  template <class real>
  QN_CALL real at(qn_index i, qn_index j) const {
    return Bodies<real, T>::square_point(r.at(i, j));
  }
};

/// Sweeps over all nodes of a box in one pass.
template <class T, bool RhsArray>
struct SweepsPoint {
  View<const T> u, f;
  View<T> u_new;
  View<T> partials;  ///< of the first sweep
  const T* weights;  ///< of each sweep
  T a, b, diagonal, f_constant;
  qn_index count;
  Range box;

  /// Elements from the partials of a sweep to those of the next.
  [[nodiscard]] QN_CALL qn_index plane() const {
    return (box.j1 - box.j0 + block_rows - 1) / block_rows * partials.pitch;
  }
};

/// A node of a pass of one sweep.
template <class T, bool RhsArray>
struct SweepPoint {
  static constexpr bool packs = true;
  SweepsPoint<T, RhsArray> pass;
  template <class real>
  QN_CALL real at(qn_index i, qn_index j) const {
    real rhs = real(pass.f_constant);
    if constexpr (RhsArray) rhs = Access<real>::load(pass.f.at(i, j));
    return Bodies<real, T>::jacobi_sweep_point(pass.u.at(i, j), pass.u.at(i, j - 1), pass.u.at(i, j + 1), rhs,
                                               pass.u_new.at(i, j), real(pass.a), real(pass.b), real(pass.diagonal),
                                               real(*pass.weights));
  }
};

/// Nodes of a finer grid that each of a coarser one stands for: the first by `at`, then the weights of that and those
/// after it, `pitch` apart.
template <class T>
struct Table {
  const qn_index* at;
  const T* weights;
  qn_index pitch, count;
};

template <class T, bool RhsArray>
struct RestrictPoint {
  static constexpr bool packs = false;
  View<const T> u, f;
  View<T> coarse_u, coarse_f;
  Table<T> columns, rows;
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

template <class T>
struct ProlongPoint {
  static constexpr bool packs = false;
  View<T> u;
  View<const T> coarse;
  const qn_index* columns;
  const T* across;
  const qn_index* rows;
  const T* down;
  template <class real>
  QN_CALL void at(qn_index i, qn_index j) const {
    Bodies<T, T>::jacobi_prolong_point(u.at(i, j), coarse.at(columns[i], rows[j]), coarse.pitch, across[i], down[j]);
  }
};

/// Norms of successive iterations. Rows may come in any order, and on devices at once: the first to stop counts.
template <class T>
struct NormPoint {
  T* norms;
  qn_index iteration, every;
  T scale, divisor, tolerance;
  qn_index* control;
  /// Whether an earlier launch has stopped the run; rows of this one may do so while others have yet to start.
  [[nodiscard]] QN_CALL bool stopped() const { return control[0] != 0 && control[0] < iteration; }
  QN_CALL void operator()(qn_index k, T sum) const {
    if (!Bodies<T, T>::residual_norm_point(sum, norms + k, iteration + k, every, scale, divisor, tolerance)) return;
    lower(control, iteration + k);
    control[1] = 1;
  }
};

/// A box of a field and a line that holds it row by row.
template <class T, bool Pack>
struct HaloPoint {
  static constexpr bool packs = true;
  View<T> u;
  View<T> line;
  Range box;
  template <class real>
  QN_CALL void at(qn_index i, qn_index j) const {
    T* field = u.at(i, j);
    T* place = line.at(i - box.i0, j - box.j0);
    Bodies<real, T>::copy_point(Pack ? field : place, Pack ? place : field);
  }
};

template <class T>
struct CopyPoint {
  static constexpr bool packs = true;
  View<const T> x;
  View<T> y;
  template <class real>
  QN_CALL void at(qn_index i, qn_index j) const {
    Bodies<real, T>::copy_point(x.at(i, j), y.at(i, j));
  }
};

template <class T>
struct TriadPoint {
  static constexpr bool packs = true;
  View<const T> x, y;
  View<T> z;
  T scale;
  template <class real>
  QN_CALL void at(qn_index i, qn_index j) const {
    Bodies<real, T>::stream_triad_point(x.at(i, j), y.at(i, j), z.at(i, j), real(scale));
  }
};

template <class T>
struct ObservePoint {
  static constexpr bool packs = true;
  const T *own, *moments, *length;
  T *mass, *square;
  qn_index stride, space;
  template <class real>
  QN_CALL void at(qn_index e, qn_index) const {
    Bodies<real, T>::dgcvs_observe_point(own + e, moments + e, length + e, mass + e, square + e, stride, space);
  }
};

template <class T>
struct SumPoint {
  T* place;
  [[nodiscard]] QN_CALL bool stopped() const { return false; }
  QN_CALL void operator()(qn_index, T sum) const { *place = sum; }
};

template <class T, class Skeleton>
struct Launcher {
  static View<const T> in(const Resolved& a) { return {static_cast<const T*>(a.data), a.pitch}; }
  static View<T> out(const Resolved& a) { return {static_cast<T*>(a.data), a.pitch}; }
  static T scalar(const Resolved& a) { return static_cast<T>(a.real); }
  static qn_index* integers(const Resolved& a) { return static_cast<qn_index*>(a.data); }
  static LaplacianPoint<T> laplacian(const Resolved* a) {
    return {in(a[0]), out(a[1]), scalar(a[2]), scalar(a[3]), scalar(a[4])};
  }
  template <bool RhsArray>
  static void sweeps(const Skeleton& skeleton, std::int64_t depth, const Range& box, const Resolved* a) {
    const SweepsPoint<T, RhsArray> pass{in(a[0]),        in(a[1]),     out(a[2]),    out(a[3]),
                                        in(a[7]).origin, scalar(a[4]), scalar(a[5]), scalar(a[6]),
                                        scalar(a[8]),    a[9].integer, box};
    const qn_index* const control = integers(a[10]);
    if constexpr (requires { skeleton.sweep(pass, control); }) {
      if (depth > 1) return skeleton.sweep(pass, control);
    }
    skeleton.template map_blocks<T>(box, pass.partials, control, SweepPoint<T, RhsArray>{pass});
  }
  template <bool RhsArray>
  static void restrict_residual(const Skeleton& skeleton, const Range& box, const Resolved* a) {
    const RestrictPoint<T, RhsArray> point{in(a[0]),
                                           in(a[1]),
                                           out(a[2]),
                                           out(a[3]),
                                           {integers(a[4]), in(a[5]).origin, a[5].pitch, a[8].integer},
                                           {integers(a[6]), in(a[7]).origin, a[7].pitch, a[9].integer},
                                           scalar(a[10]),
                                           scalar(a[11]),
                                           scalar(a[12]),
                                           scalar(a[13]),
                                           scalar(a[14])};
    skeleton.template map<T>(box, integers(a[15]), point);
  }
  template <bool Pack>
  static void halo(const Skeleton& skeleton, const Range& box, const Resolved& field, const Resolved& line) {
    const HaloPoint<T, Pack> point{out(field), {static_cast<T*>(line.data), box.i1 - box.i0}, box};
    skeleton.template map<T>(box, nullptr, point);
  }

  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& box, const Resolved* a) {
    switch (variant.id) {
      case KernelId::jacobi_laplacian:
        return skeleton.template map<T>(box, integers(a[5]), laplacian(a));
      case KernelId::jacobi_boundary: {
        const qn_index nx = box.i1 - box.i0;
        const qn_index ny = box.j1 - box.j0;
        const qn_index inner = (nx > 2 ? nx - 2 : 0) * (ny > 2 ? ny - 2 : 0);
        const Range nodes{0, nx * ny - inner, 0, 1};
        return skeleton.template map<T>(nodes, integers(a[5]), BoundaryPoint<T>{laplacian(a), box});
      }
      case KernelId::jacobi_update:
        return skeleton.template map<T>(box, integers(a[5]),
                                        UpdatePoint<T>{out(a[0]), in(a[1]), in(a[2]), out(a[3]), scalar(a[4])});
      case KernelId::jacobi_norm:
        return skeleton.template map_blocks<T>(box, out(a[1]), integers(a[2]), SquarePoint<T>{in(a[0])});
      case KernelId::jacobi_sweeps:
        return variant.rhs_array ? sweeps<true>(skeleton, variant.depth, box, a)
                                 : sweeps<false>(skeleton, variant.depth, box, a);
      case KernelId::jacobi_restrict:
        return variant.rhs_array ? restrict_residual<true>(skeleton, box, a)
                                 : restrict_residual<false>(skeleton, box, a);
      case KernelId::jacobi_prolong:
        return skeleton.template map<T>(
            box, integers(a[6]),
            ProlongPoint<T>{out(a[0]), in(a[1]), integers(a[2]), in(a[3]).origin, integers(a[4]), in(a[5]).origin});
      case KernelId::residual_norm:
        return skeleton.template reduce<T>(box, in(a[0]),
                                           NormPoint<T>{out(a[1]).origin + a[2].integer, a[3].integer, a[4].integer,
                                                        scalar(a[5]), scalar(a[6]), scalar(a[7]), integers(a[8])});
      case KernelId::halo_pack:
        return halo<true>(skeleton, box, a[0], a[1]);
      case KernelId::halo_unpack:
        return halo<false>(skeleton, box, a[1], a[0]);
      case KernelId::stream_copy:
        return skeleton.template map<T>(box, nullptr, CopyPoint<T>{in(a[0]), out(a[1])});
      case KernelId::stream_triad:
        return skeleton.template map<T>(box, nullptr, TriadPoint<T>{in(a[0]), in(a[1]), out(a[2]), scalar(a[3])});
      case KernelId::dgcvs_observe:
        return skeleton.template map<T>(box, nullptr,
                                        ObservePoint<T>{in(a[0]).origin, in(a[1]).origin, in(a[2]).origin,
                                                        out(a[3]).origin, out(a[4]).origin, a[0].pitch, a[5].integer});
      case KernelId::sum:
        return skeleton.template reduce<T>(box, in(a[0]), SumPoint<T>{out(a[1]).origin + a[2].integer});
      case KernelId::dgcvs_update:
      case KernelId::dgcvs_newton:
      case KernelId::dgcvs_linear:
      case KernelId::dgcvs_limit:
        break;  // launch_dgcvs() runs them
    }
  }
};

/// Runs any kernel but those of DG-CVS with the skeleton.
template <class Skeleton>
void launch_grid(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* arguments) {
  if (variant.precision == Precision::float64) {
    Launcher<double, Skeleton>::launch(skeleton, variant, range, arguments);
  } else {
    Launcher<float, Skeleton>::launch(skeleton, variant, range, arguments);
  }
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
