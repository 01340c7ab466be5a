#pragma once

// What a kernel's declaration alone promises: which elements a launch reads and writes, that a run that has stopped
// changes nothing, and the bits of the scalar reference. A kernel that has no oracle of its own is held to these.

#include <algorithm>

#include "conformance/launch.hpp"

namespace quoin::conformance {
/// Runs a kernel at once on host memory.
using Reference = void (*)(const Variant&, const kernels::Range&, const kernels::Resolved*);

/// Kernels that read nodes by tables, or whose constants need arguments to fit, are for their own oracles.
inline bool can_be_generated(const CatalogueEntry& entry) {
  if (entry.pattern >= Pattern::own_map) return false;
  return std::ranges::none_of(entry.arguments, [](const ArgumentSpec& argument) {
    return argument.kind == ArgumentKind::indices ||
           (argument.kind == ArgumentKind::integers && argument.name != "control");
  });
}

/// Whether the kernel's arrays have as many rows as the box: entities have one row, whatever their values.
inline bool takes_planes(const CatalogueEntry& entry, Precision precision) {
  const Box box = Box::plane(40, 70);
  const std::vector<Argument> numbers = numbers_of(entry);
  const Variant variant = variant_of({std::string(entry.name), precision, {}});
  for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
    if (entry.arguments[k].intent == Intent::in || entry.arguments[k].kind != ArgumentKind::reals) continue;
    const kernels::Range hull = hull_of(kernels::footprint(variant, k, box, numbers));
    if (hull.i1 == box.upper[0] && hull.j1 != box.upper[1]) return false;
  }
  return true;
}

template <class T>
void check_as_declared(DeviceUnderTest& bench, Cases& cases, const CatalogueEntry& entry, Reference reference) {
  std::vector<Box> boxes{Box::line(1), Box::line(77), {{16, 0, 0}, {48, 1, 1}, {0, 0, 0}}};
  if (takes_planes(entry, precision_of<T>)) {
    boxes.insert(boxes.end(), {Box::plane(45, 70), {{16, 32, 0}, {61, 101, 1}, {0, 0, 0}}});
    for (const Box& box : empty_boxes()) boxes.push_back(box);
  }
  // Kernels that set `control` look at more of it than its first number.
  const std::size_t control = entry.argument("control");
  const bool can_stop = control < entry.arguments.size() && entry.arguments[control].intent == Intent::in;
  std::vector<Variation> variations;
  for (const Box& box : boxes) {
    const std::string name = "as declared, " + std::to_string(box.extent(0)) + "x" + std::to_string(box.extent(1));
    const std::int64_t nx = std::max<std::int64_t>(box.upper[0], 8);
    const std::int64_t ny = std::max<std::int64_t>(box.upper[1], 8);
    variations.push_back({{name, nx, ny, box, Style::odd}, false, true});
    if (can_stop && box.points() > 0) variations.push_back({{name + ", stopped", nx, ny, box, Style::odd}, true, true});
  }
  check_formula<T>(bench, cases, entry.name, variations, {}, [&](const DeclaredLaunch<T>& l) {
    run_on_mirrors(reference, l.trial.fields(), l.variant, l.box, l.arguments);
  });
}

/// The cases that a declaration makes; false where the kernel takes more than that tells.
inline bool check_declared(DeviceUnderTest& bench, Cases& cases, const CatalogueEntry& entry, Precision precision,
                           Reference reference) {
  if (!can_be_generated(entry)) return false;
  precision == Precision::float64 ? check_as_declared<double>(bench, cases, entry, reference)
                                  : check_as_declared<float>(bench, cases, entry, reference);
  return true;
}

}  // namespace quoin::conformance
