#pragma once

#include "mesh/gmsh_nodes.hpp"

namespace quoin {

/// Makes sides of the physical curves of the boundary, in the order of their numbers.
void add_sides(const GmshFile& file, const GmshNodes& nodes, const GmshStream& stream, Mesh& mesh);

}  // namespace quoin
