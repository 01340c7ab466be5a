#pragma once

// Numbers of DG-CVS that both its kernels and those who launch them need, and what its kernels cost.

#include "quoin/kernel_entry.hpp"

namespace quoin {

/// The conservation laws: values of the constant `law`.
enum class Law : std::int32_t { advection, burgers, shallow_water };
constexpr int law_variables(Law law) { return law == Law::shallow_water ? 3 : 1; }
constexpr int law_variables(int law) { return law_variables(static_cast<Law>(law)); }
constexpr int law_parameters(Law law) { return law == Law::advection ? 2 : law == Law::shallow_water ? 1 : 0; }
constexpr int law_parameters(int law) { return law_parameters(static_cast<Law>(law)); }

/// Orders go from 0 to this one.
constexpr int dgcvs_highest_order(Precision precision) { return precision == Precision::float64 ? 4 : 2; }
/// Members of the basis of an order: powers of X, Y and s up to that total degree.
constexpr int dgcvs_basis(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }
/// Its members that do not depend on time.
constexpr int dgcvs_space(int order) { return (order + 1) * (order + 2) / 2; }
/// Numbers that describe a slot, and a half face, of an entity: arguments.h.
inline constexpr int dgcvs_geometry = 7;
inline constexpr int dgcvs_face = 8;
/// Degree up to which a region's moments are given, and their number.
constexpr int dgcvs_moment_degree(int order) { return order == 0 ? 0 : 3 * order - 1; }
constexpr int dgcvs_moments(int order) { return dgcvs_space(dgcvs_moment_degree(order)); }

/// Parts of a half step, as arguments.h has them for the argument `parts`.
inline constexpr int dgcvs_lateral = 1, dgcvs_bottom = 2, dgcvs_join = 4, dgcvs_solve = 8, dgcvs_all = 15;

/// A law and an order: what a kernel of DG-CVS is compiled for.
struct DgShape {
  Law law;
  int order;
  explicit constexpr DgShape(const Variant& v)
      : law(static_cast<Law>(v.constants[0])), order(static_cast<int>(v.constants[1])) {}
};

/// Elements that these parts of the update of a quadrilateral's entity move, each counted once: one old entity's
/// polynomials and four slots; the right-hand side, between parts; own polynomials read and written, factor, moments.
inline double dgcvs_reals(const DgShape& v, int parts) {
  const int space = dgcvs_space(v.order);
  const double unknowns = law_variables(v.law) * dgcvs_basis(v.order);
  double reals = 0.0;
  if ((parts & (dgcvs_lateral | dgcvs_bottom)) != 0) reals += unknowns + 4 * 8;
  if ((parts & dgcvs_solve) != 0) reals += 2 * unknowns + space * (space + 1) / 2.0 + dgcvs_moments(v.order);
  if (parts != dgcvs_all) {
    if ((parts & ~dgcvs_bottom) != 0) reals += unknowns;
    if ((parts & ~dgcvs_lateral) != 0) reals += law_variables(v.law) * space;
  }
  return reals;
}

/// Operations of these parts with order + 2 sweeps, an fma counted twice.
inline double dgcvs_flops(const DgShape& v, int parts) {
  const int p = v.order;
  const int q = p + 1;
  const int basis = dgcvs_basis(p);
  const int space = dgcvs_space(p);
  const int products = space * (space + 1) / 2;
  const double bottom = q * q * (15.0 + 5.0 * space);
  const double lateral = 2.0 * q * (6.0 + space + 4.0 * basis + q * (4.0 * p + 6.0));
  double solve = 2.0 * basis;
  for (int k = 0; k <= p; ++k)
    solve += 2.0 * dgcvs_space(k) * (dgcvs_space(k) + 1) + 2.0 * (p - k + 1) * (k + 1) * (k + 1);
  const double volume = q * (2.0 * basis + 2.0 * products + dgcvs_space(2 * p) * p * (p + 1.0)) + 4.0 * basis;
  const auto of = [&](int part, double flops) { return (parts & part) != 0 ? law_variables(v.law) * flops : 0.0; };
  return of(dgcvs_lateral, 4.0 * lateral) + of(dgcvs_bottom, 4.0 * bottom) +
         of(dgcvs_solve, (p + 2) * (volume + solve));
}

/// Operations of the local solve by 5 iterations of Newton's method: residual, Jacobian by quadrature and elimination.
inline double dgcvs_newton_flops(const DgShape& v) {
  const double p = v.order;
  const double points = 4 * (p + 1) * (p + 1);
  const double unknowns = law_variables(v.law) * dgcvs_basis(v.order);
  const double jacobian = points * (unknowns * unknowns * 2 + law_variables(v.law) * (p + 1) * (4 * p + 2) * 6);
  return 5 * (jacobian + 2 * unknowns * unknowns * unknowns / 3) + dgcvs_flops(v, dgcvs_solve);
}

/// Traffic and arithmetic of parts of the update of so many entities.
inline Cost dgcvs_cost(const Variant& v, int parts, double entities) {
  return {entities * dgcvs_reals(DgShape(v), parts) * static_cast<double>(element_size(v.precision)),
          entities * dgcvs_flops(DgShape(v), parts)};
}

inline Cost dgcvs_update_cost(const Variant& v, double entities) { return dgcvs_cost(v, dgcvs_all, entities); }

inline Cost dgcvs_newton_cost(const Variant& v, double entities) {
  return {dgcvs_cost(v, dgcvs_solve, entities).bytes, entities * dgcvs_newton_flops(DgShape(v))};
}

inline Cost dgcvs_linear_cost(const Variant& v, double entities) {
  const double basis = dgcvs_basis(DgShape(v).order);
  return {entities * (2.0 * basis * static_cast<double>(element_size(v.precision)) + 4.0 * sizeof(std::int64_t)),
          entities * 4.0 * 2.0 * basis * basis};
}

inline Cost dgcvs_limit_cost(const Variant& v, double entities) {
  const DgShape shape(v);
  const int space = dgcvs_space(shape.order);
  const double unknowns = law_variables(shape.law) * dgcvs_basis(shape.order);
  const double reals = 3.0 * unknowns + 2.0 * space + 4 * 7 + 2;
  const double planes = 2 * 4 * law_variables(shape.law) * (2.0 * dgcvs_basis(shape.order) + 20);
  const double jump = 4.0 * (shape.order + 1) * (shape.order + 1) * (6.0 * space + 20);
  return {entities * reals * static_cast<double>(element_size(v.precision)), entities * (planes + jump)};
}

}  // namespace quoin
