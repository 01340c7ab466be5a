#pragma once

// What each launch of the catalogue's kernels reads and writes, argument by argument.

#include <cstdint>
#include <span>
#include <vector>

#include "quoin/catalogue.hpp"

namespace quoin::check {

/// Elements [i0, i1) x [j0, j1) relative to element (0, 0) of an argument.
struct Rectangle {
  std::int64_t i0, i1, j0, j1;
};

/// The elements of buffer argument `index` that a launch over `box` may touch; all that it writes for
/// the intents out and inout. Rectangles do not overlap.
std::vector<Rectangle> footprint(const Variant& variant, std::size_t index, const Box& box,
                                 std::span<const Argument> arguments);

}  // namespace quoin::check
