#pragma once

#include <cstddef>
#include <cstdint>

#include "mesh/gmsh_stream.hpp"

namespace quoin {

/// How many nodes an element of this type of Gmsh's has: 1 for points, 2 for lines, 3 for triangles and 4 for
/// quadrilaterals. Fails for any other type, by its name.
std::size_t corners_of_type(const GmshStream& stream, std::int64_t type, std::int64_t element);

}  // namespace quoin
