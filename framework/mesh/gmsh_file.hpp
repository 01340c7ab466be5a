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
  std::array<std::int64_t, 4> nodes;  ///< 1 of points, 2 of lines, 3 of triangles, 4 of quadrilaterals, then 0
  std::int64_t entity;                ///< what it lies on; of lines a key of GmshFile::curves, if they are in a group
  std::size_t place;
};

struct GmshFile {
  std::map<std::int64_t, std::string> names;                 ///< of the physical curves
  std::map<std::int64_t, std::vector<std::int64_t>> curves;  ///< the physical curves that a curve is in
  std::vector<GmshNode> nodes;
  std::vector<GmshElement> points, lines, cells;

  [[nodiscard]] std::int64_t element_count() const {
    return static_cast<std::int64_t>(points.size() + lines.size() + cells.size());
  }
  std::size_t elements_place = 0;  ///< where $Elements starts
};

/// Throws as parse_gmsh() does.
GmshFile read_sections(GmshStream& stream);

}  // namespace quoin
