#pragma once

#include "mesh/mesh.hpp"

namespace quoin {

/// Cuts every triangle and every quad into four at the midpoints of its edges, `levels` times. Cells keep the name of
/// their ancestor. To be done before match_periodic(). Throws ErrorKind::case_file where there would be too many cells.
Mesh refine(Mesh mesh, int levels);

}  // namespace quoin
