#pragma once

// What the checks of the kernels over entities have in common: filling the arrays of an entity, and holding what came
// out against the reference and against a definition.

#include <array>
#include <string>

#include "conformance/launch.hpp"
#include "conformance/reference.hpp"
#include "kernels/dgcvs/oracle_entities.hpp"

namespace quoin::conformance {

constexpr double entity_tau = 1.0 / 97.0;  ///< half a time step that neither precision represents
constexpr std::int64_t old_entities = 37;  ///< lanes of the old entities

/// The values of an entity from row `row` on.
template <class T, class List>
void put(Field<T>& field, std::int64_t lane, const List& values, std::int64_t row = 0) {
  for (const Wide value : values) field.view()(lane, row++) = static_cast<T>(value);
}

template <class T>
std::vector<Wide> column(Field<T>& field, std::int64_t lane, std::int64_t rows, std::int64_t first = 0) {
  std::vector<Wide> values;
  for (std::int64_t row = first; row < first + rows; ++row)
    values.push_back(static_cast<Wide>(field.view()(lane, row)));
  return values;
}

/// The old entity in that slot of entity e: in two of three groups as in regular meshes, side by side, and so in two
/// stretches, as where a row ends.
inline std::int64_t random_neighbour(std::mt19937_64& random, std::int64_t e, std::int64_t slot) {
  const std::int64_t group = e / entity_group;
  const std::int64_t lane = e % entity_group;
  if (group % 3 == 0) return static_cast<std::int64_t>(uniform(random, 0, old_entities));
  const bool next_row = group % 3 == 2 && lane > slot % (entity_group - 1);
  return lane + (next_row ? old_entities - entity_group - slot : 3 * slot);
}

/// A random neighbour in each slot that the shape uses and the last again in the others, and the geometry of the slots,
/// which has its lane for the entity at `lane`.
template <class T>
void put_slots(std::mt19937_64& random, std::int64_t e, const Shape& shape, std::int64_t slots,
               Field<std::int64_t>& neighbours, Field<T>& geometry, std::int64_t lane) {
  std::int64_t neighbour = 0;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const bool used = static_cast<std::size_t>(slot) < shape.slots.size();
    if (used) neighbour = random_neighbour(random, e, slot);
    neighbours.view()(e, slot) = neighbour;
    const Slot q = used ? shape.slots[static_cast<std::size_t>(slot)] : Slot{};
    put(geometry, lane, std::array{q.a.x, q.a.y, q.b.x, q.b.y, q.c.x, q.c.y, q.ratio}, slot * dgcvs_geometry);
  }
}

/// The law's parameters go to the launch, and come back as that holds them.
template <class T>
std::vector<Wide> put_parameters(Law law, bool chezy, const DeclaredLaunch<T>& launch) {
  std::vector<Wide> held;
  for (const Wide parameter : parameters_of(law, chezy)) {
    T& place = launch.field("law_parameters")[static_cast<std::int64_t>(held.size())];
    place = static_cast<T>(parameter);
    held.push_back(static_cast<Wide>(place));
  }
  return held;
}

/// Throws Mismatch where entity e came out further from `expected` than the tolerance, or than the device's own bound.
template <class T>
void compare_with_definition(const DeviceUnderTest& bench, const Field<T>& own, std::int64_t e,
                             const std::vector<Wide>& expected, double tolerance, const std::string& what) {
  tolerance = std::max(tolerance, bench.executor->device().error_bound);
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const auto value = static_cast<double>(own.seen(e, static_cast<std::int64_t>(n)));
    if (std::abs(value - static_cast<double>(expected[n])) <= tolerance) continue;
    throw Mismatch("own(" + std::to_string(e) + "," + std::to_string(n) + ") is " + show(value) +
                   ", by the definition of the " + what + " it is " + show(static_cast<double>(expected[n])));
  }
}

/// Calls visit(law, order, name) for every law up to `last` and the orders from `lowest` on.
template <class T, class Visit>
void each_law_and_order(int lowest, Law last, Visit&& visit) {
  constexpr std::array names{"advection", "burgers", "shallow_water", "shallow_water_bed"};
  for (const Law law : {Law::advection, Law::burgers, Law::shallow_water, Law::shallow_water_bed}) {
    if (law > last || (law_has_bed(law) && precision_of<T> == Precision::float32)) continue;
    for (int order = lowest; order <= dgcvs_highest_order(precision_of<T>); ++order)
      visit(law, order, std::string(names.at(static_cast<std::size_t>(law))) + " of order " + std::to_string(order));
  }
}

}  // namespace quoin::conformance
