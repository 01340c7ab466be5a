#pragma once

// What a .msh file says, before it is made a mesh.

#include <array>
#include <map>

#include "mesh/gmsh_stream.hpp"
#include "mesh/mesh.hpp"

namespace quoin {

/// Numbers are those of the file; `place` is for messages.
struct GmshNode {
  std::int64_t number;
  Point point;
  double z;
  std::size_t place;
};

struct GmshElement {
  std::int64_t number;
  std::array<std::int64_t, 4> nodes;  ///< 1 of points, 2 of lines, 3 of triangles, 4 of quads; the others are 0
  std::int64_t group;                 ///< the physical group; 0: none
  std::size_t place;
};

struct GmshFile {
  std::map<std::int64_t, std::string> curves;  ///< names of the physical curves
  std::vector<GmshNode> nodes;
  std::vector<GmshElement> points, lines, cells;
};

/// Throws as parse_gmsh() does.
GmshFile read_sections(GmshStream& stream);

}  // namespace quoin
