#pragma once

// The words that declarations use for what a launch touches of an array (kernels/declare.h). A family's declaration is
// read in a class that derives from Extents.

#include <algorithm>
#include <string_view>
#include <vector>

#include "kernels/launch.hpp"

namespace quoin::kernels {

/// A launch, and ranges of elements of its arguments, relative to element (0, 0), that do not overlap.
struct Extents {
  using Parts = std::vector<Range>;

  const Variant& variant;
  const Box& box;
  std::span<const Argument> arguments;

  [[nodiscard]] int constant(std::string_view name) const {
    return static_cast<int>(variant.constants[entry_of(variant.id).constant(name)]);
  }
  [[nodiscard]] const Argument& argument(std::string_view name) const {
    return arguments[entry_of(variant.id).argument(name)];
  }
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return argument(name).integer_value; }

  static Parts none() { return {{0, 0, 0, 0}}; }
  /// That much, where the launch needs it.
  static Parts where(bool needed, Parts parts) { return needed ? parts : none(); }
  static Parts list(std::int64_t values) { return {{0, values, 0, 1}}; }
  static Parts stretch(std::int64_t first, std::int64_t values) { return {{first, first + values, 0, 1}}; }
  /// The points, and so many rows more on either side.
  [[nodiscard]] Parts points(std::int64_t below = 0, std::int64_t above = 0) const {
    return {{box.lower[0], box.upper[0], box.lower[1] - below, box.upper[1] + above}};
  }
  /// The points of each of `count` planes, one below the other, `rows` apart.
  [[nodiscard]] Parts stacked(std::int64_t count, std::int64_t rows) const {
    const Range b = points().front();
    Parts parts;
    for (std::int64_t k = 0; k < count; ++k) parts.push_back({b.i0, b.i1, b.j0 + k * rows, b.j1 + k * rows});
    return parts.empty() ? none() : parts;
  }
  /// Those and their neighbours; the corners around them belong to no point.
  [[nodiscard]] Parts with_sides(std::int64_t below = 0, std::int64_t above = 0) const {
    const Range b = points(below, above).front();
    return {{b.i0 - 1, b.i1 + 1, b.j0, b.j1}, {b.i0, b.i1, b.j0 - 1, b.j0}, {b.i0, b.i1, b.j1, b.j1 + 1}};
  }
  [[nodiscard]] Parts rim() const {
    const Range b = points().front();
    Parts parts{{b.i0, b.i1, b.j0, b.j0 + 1}};
    if (b.j1 - b.j0 > 1) parts.push_back({b.i0, b.i1, b.j1 - 1, b.j1});
    if (b.j1 - b.j0 > 2) {
      parts.push_back({b.i0, b.i0 + 1, b.j0 + 1, b.j1 - 1});
      if (b.i1 - b.i0 > 1) parts.push_back({b.i1 - 1, b.i1, b.j0 + 1, b.j1 - 1});
    }
    return parts;
  }
  [[nodiscard]] Parts blocks() const {
    return {{0, (box.extent(0) + block_columns - 1) / block_columns, 0, (box.extent(1) + block_rows - 1) / block_rows}};
  }
  /// A table for each column (axis 0) or row (axis 1) of the box, with so many values a pitch apart; at least one.
  [[nodiscard]] Parts along(std::size_t axis, std::int64_t values) const {
    return {{box.lower[axis], box.upper[axis], 0, std::max<std::int64_t>(1, values)}};
  }
  /// So many values of each entity of the box.
  [[nodiscard]] Parts lanes(std::int64_t values) const { return lanes_from(0, values); }
  /// The same of an array whose lane 0 is entity `first`.
  [[nodiscard]] Parts lanes_from(std::int64_t first, std::int64_t values) const {
    return {{box.lower[0] - first, box.upper[0] - first, 0, values}};
  }
  /// The same, but where `mask` is not -1, entities have the array's lanes 0 to `mask` in turn.
  [[nodiscard]] Parts lanes_in_turn(std::int64_t first, std::int64_t mask, std::int64_t values) const {
    if (mask < 0) return lanes_from(first, values);
    return box.points() == 0 ? none() : Parts{{0, mask + 1, 0, values}};
  }
  /// Of each lane that the named array has: any may be a neighbour.
  [[nodiscard]] Parts all_lanes(std::string_view name, std::int64_t values) const {
    return {{0, argument(name).pitch, 0, values}};
  }
};

/// The elements of array `index` that a launch may touch; all that it writes for the intents out and inout.
inline Extents::Parts footprint(const Variant& variant, std::size_t index, const Box& box,
                                std::span<const Argument> arguments) {
  struct Reader : Extents {
    [[nodiscard]] Parts of(std::size_t wanted) const {
      std::size_t next = 0;
#define QN_EXTENT(name, kind, intent, extent) \
  if (next++ == wanted) return extent;
#define QN_EXTENTS(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) \
  case KernelId::name: {                                               \
    ARGUMENTS(QN_EXTENT)                                               \
    break;                                                             \
  }
      switch (variant.id) { QUOIN_FAMILIES(QN_EXTENTS) }  // NOLINT(bugprone-branch-clone): made from the families
#undef QN_EXTENTS
#undef QN_EXTENT
      return none();
    }
  };
  return Reader{{variant, box, arguments}}.of(index);
}

}  // namespace quoin::kernels
