#pragma once

// What the kernels of DG-CVS cost.

#include "kernels/dgcvs/operations.hpp"

namespace quoin {

/// Elements that these parts of the update of an entity move, each counted once: one old entity's polynomials and the
/// slots; the right-hand side, between parts; own polynomials read and written, factor, moments. Shapes that entities
/// share are not moved.
inline double dgcvs_reals(const DgShape& v, const DgWork& work, int parts) {
  const int space = dgcvs_space(v.order);
  const double unknowns = dgcvs_values(v.law, v.order);
  double reals = 0.0;
  if ((parts & (dgcvs_lateral | dgcvs_bottom)) != 0)
    reals += unknowns + static_cast<double>(work.slots) * (work.shared ? 1 : 1 + dgcvs_geometry);
  if ((parts & dgcvs_solve) != 0) reals += 2 * unknowns;
  if ((parts & dgcvs_solve) != 0 && !work.shared) {
    reals += space * (space + 1) / 2.0 + dgcvs_moments(v.order);
    if (work.whole) reals += dgcvs_region;
  }
  if (law_has_bed(v.law)) reals += static_cast<double>(work.slots) * dgcvs_bed(v.order);
  if (parts != dgcvs_all) {
    if ((parts & ~dgcvs_bottom) != 0) reals += unknowns;
    if ((parts & ~dgcvs_lateral) != 0) reals += law_variables(v.law) * space;
  }
  return reals;
}

/// Traffic and arithmetic of parts of the update of so many entities.
inline Cost dgcvs_update_cost(const Variant& v, const DgWork& work, int parts, double entities) {
  const DgShape shape(v);
  return {entities * dgcvs_reals(shape, work, parts) * static_cast<double>(element_size(v.precision)),
          entities * DgOperations(shape, work).update(parts)};
}
inline Cost dgcvs_newton_cost(const Variant& v, const DgWork& work, double entities) {
  return {dgcvs_update_cost(v, work, dgcvs_solve, entities).bytes, entities * DgOperations(DgShape(v), work).newton()};
}
inline Cost dgcvs_linear_cost(const Variant& v, const DgWork& work, double entities) {
  const DgShape shape(v);
  const double reals = 2.0 * dgcvs_basis(shape.order);
  return {entities * (reals * static_cast<double>(element_size(v.precision)) +
                      static_cast<double>(work.slots) * sizeof(std::int64_t)),
          entities * DgOperations(shape, work).linear()};
}
inline Cost dgcvs_limit_cost(const Variant& v, const DgWork& work, double entities) {
  const DgShape shape(v);
  const double unknowns = dgcvs_values(shape.law, shape.order);
  double reals = 3.0 * unknowns + 2.0 * dgcvs_space(shape.order) + static_cast<double>(work.slots) * 7 + 2;
  if (law_has_bed(shape.law)) reals += static_cast<double>(work.slots) * dgcvs_bed(shape.order) + 3;
  return {entities * reals * static_cast<double>(element_size(v.precision)),
          entities * DgOperations(shape, work).limit()};
}

/// What a launch of which nothing else is known does for each entity: that of quadrilaterals, inside.
inline DgWork dgcvs_usual_work(const Variant& v) { return {.slots = 4, .sweeps = DgShape(v).order + 2}; }
inline Cost dgcvs_update_cost(const Variant& v, double entities) {
  return dgcvs_update_cost(v, dgcvs_usual_work(v), dgcvs_all, entities);
}
inline Cost dgcvs_newton_cost(const Variant& v, double entities) {
  return dgcvs_newton_cost(v, dgcvs_usual_work(v), entities);
}
inline Cost dgcvs_linear_cost(const Variant& v, double entities) {
  return dgcvs_linear_cost(v, dgcvs_usual_work(v), entities);
}
inline Cost dgcvs_limit_cost(const Variant& v, double entities) {
  return dgcvs_limit_cost(v, dgcvs_usual_work(v), entities);
}

}  // namespace quoin
