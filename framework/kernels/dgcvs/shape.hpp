#pragma once

// Numbers of DG-CVS that both its kernels and those who launch them need.

#include "quoin/kernel_entry.hpp"

namespace quoin {

/// The conservation laws: values of the constant `law`.
enum class Law : std::int32_t { advection, burgers, shallow_water, shallow_water_bed };
/// Whether a state has the height of a bed behind its variables.
constexpr bool law_has_bed(Law law) { return law == Law::shallow_water_bed; }
constexpr bool law_has_bed(int law) { return law_has_bed(static_cast<Law>(law)); }
constexpr bool law_is_water(Law law) { return law == Law::shallow_water || law_has_bed(law); }
constexpr int law_variables(Law law) { return law_is_water(law) ? 3 : 1; }
constexpr int law_variables(int law) { return law_variables(static_cast<Law>(law)); }
constexpr int law_parameters(Law law) {
  constexpr int of_each[]{2, 0, 1, 4};
  return of_each[static_cast<int>(law)];
}
/// The flux is a multiple of this power of the one variable; 0 where it is none, and the volume term goes by points.
constexpr int law_degree(Law law) { return law == Law::advection ? 1 : law == Law::burgers ? 2 : 0; }
constexpr int law_parameters(int law) { return law_parameters(static_cast<Law>(law)); }

/// Orders go from 0 to this one.
constexpr int dgcvs_highest_order(Precision precision) { return precision == Precision::float64 ? 4 : 2; }
/// Members of the basis of an order: powers of X, Y and s up to that total degree.
constexpr int dgcvs_basis(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }
/// Values of an entity: the coefficients of its polynomials, and what comes behind them over a bed.
constexpr int dgcvs_values(int law, int order) {
  return law_variables(law) * dgcvs_basis(order) + (law_has_bed(law) ? 2 : 0);
}
constexpr int dgcvs_values(Law law, int order) { return dgcvs_values(static_cast<int>(law), order); }
/// Its members that do not depend on time.
constexpr int dgcvs_space(int order) { return (order + 1) * (order + 2) / 2; }
/// Values of an entity between the launches of a half step: rhs.h.
constexpr int dgcvs_rhs(int law, int order) {
  return law_variables(law) * (dgcvs_basis(order) + dgcvs_space(order)) + (law_has_bed(law) ? 11 : 0);
}
constexpr int dgcvs_rhs(Law law, int order) { return dgcvs_rhs(static_cast<int>(law), order); }
/// Numbers that describe a slot, and a half face, of an entity: arguments.h.
inline constexpr int dgcvs_geometry = 7;
inline constexpr int dgcvs_region = 8;
inline constexpr int dgcvs_face = 8;
/// And its bed.
constexpr int dgcvs_bed(int order) { return (order + 1) * (order + 5); }
/// Degree up to which a region's moments are given, and their number.
constexpr int dgcvs_moment_degree(int order) { return order == 0 ? 0 : 3 * order - 1; }
constexpr int dgcvs_moments(int order) { return dgcvs_space(dgcvs_moment_degree(order)); }

/// Parts of a half step, as arguments.h has them for the argument `parts`.
inline constexpr int dgcvs_lateral = 1, dgcvs_bottom = 2, dgcvs_join = 4, dgcvs_solve = 8, dgcvs_all = 15;
/// And for `remapping`.
inline constexpr int dgcvs_by_face_lane = 1, dgcvs_by_sequence = 2;

/// A law and an order: what a kernel of DG-CVS is compiled for.
struct DgShape {
  Law law;
  int order;
  explicit constexpr DgShape(const Variant& v)
      : law(static_cast<Law>(v.constants[0])), order(static_cast<int>(v.constants[1])) {}
};

}  // namespace quoin
