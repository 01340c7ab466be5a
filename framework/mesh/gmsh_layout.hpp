#pragma once

// The sections that each version of the format lays out in its own way.

#include "mesh/gmsh_file.hpp"

namespace quoin {

using GmshSection = void (*)(GmshStream& in, GmshFile& file);

struct GmshLayout {
  double version;
  std::size_t tag_bytes;  ///< of the numbers of nodes and elements
  GmshSection entities;   ///< none: the version has no such section
  GmshSection nodes;
  GmshSection elements;
};
extern const GmshLayout gmsh_22, gmsh_40, gmsh_41;

/// Parts that the layouts share. Where a node or element starts, `place`, is that of its number.
std::int64_t read_node_number(GmshStream& in);
void read_coordinates(GmshStream& in, GmshFile& file, std::int64_t number, std::size_t place);
GmshElement& read_corners(GmshStream& in, GmshFile& file, std::int64_t number, std::size_t corners, std::size_t place);

/// Those of the versions 4: $Entities, with so many numbers for the place of a point; the dimension of an entity; the
/// parameters of a node; one entity's elements of a type; that there are as many as `place` announces.
void read_entities(GmshStream& in, GmshFile& file, int numbers_of_point);
std::int64_t read_dimension(GmshStream& in);
void read_parameters(GmshStream& in, std::int64_t dimension, bool parametric);
void read_elements_of(GmshStream& in, GmshFile& file, std::int64_t dimension, std::int64_t entity);
void expect_count(const GmshStream& in, const char* what, std::int64_t found, std::int64_t announced,
                  std::size_t place);

}  // namespace quoin
