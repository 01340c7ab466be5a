#pragma once

#include "mesh/mesh.hpp"

namespace quoin {

/// Refuses the first cell that is not convex: one with a sub-quad whose bilinear Jacobian is not positive at each of
/// its corners. Throws ErrorKind::case_file, as check_mesh() does.
void check_cells(const Mesh& mesh);

/// Refuses a mesh that is not sound: cells as above, cells that are there twice or overlap, vertices in no cell,
/// hanging nodes, edges of the boundary on no side, a domain that touches itself at a vertex. One message each, naming
/// the vertex or cell. To be done before match_periodic().
void check_mesh(const Mesh& mesh);

}  // namespace quoin
