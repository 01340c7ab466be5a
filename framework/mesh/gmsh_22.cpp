// Version 2.2: every element has tags of its own, of which the first one is its physical group.

#include <fmt/format.h>

#include <cstdlib>

#include "mesh/gmsh_elements.hpp"
#include "mesh/gmsh_layout.hpp"

namespace quoin {
namespace {

std::int64_t read_count_22(GmshStream& in, const char* what, std::size_t words, std::size_t bytes) {
  const std::int64_t count = in.checked(in.number(), what, words, bytes);
  if (in.binary()) in.end_line();
  return count;
}

void read_nodes_22(GmshStream& in, GmshFile& file) {
  const std::int64_t count = read_count_22(in, "nodes", 4, 28);
  file.nodes.reserve(count);
  for (std::int64_t left = count; left > 0; --left) {
    const std::int64_t number = read_node_number(in);
    read_coordinates(in, file, number, in.place());
  }
}

void read_element_22(GmshStream& in, GmshFile& file, std::int64_t number, std::int64_t type, std::int64_t tags,
                     std::size_t place) {
  const std::size_t corners = corners_of_type(in, type, number);
  std::int64_t group = 0;
  for (std::int64_t tag = 0; tag < tags; ++tag) {
    const std::int64_t value = in.int32();
    if (tag == 0) group = std::abs(value);  // negative where the curve is walked backwards
  }
  read_corners(in, file, number, corners, place).entity = group;
  if (corners == 2 && group != 0) file.curves.try_emplace(group, 1, group);
  // An element is written once for each of its groups, one after the other.
  const auto cell = file.cells.rbegin();
  if (corners > 2 && file.cells.size() > 1 && cell[0].nodes == cell[1].nodes && cell[0].entity != cell[1].entity)
    file.cells.pop_back();
}

void read_elements_22(GmshStream& in, GmshFile& file) {
  const std::int64_t count = read_count_22(in, "elements", 4, 8);
  const std::size_t count_place = in.place();
  for (std::int64_t done = 0; done < count;) {
    // Binary files have blocks of elements with a head each.
    std::int64_t number = in.binary() ? 0 : in.int32();
    std::size_t place = in.place();
    const std::int64_t type = in.int32();
    const std::int64_t several = in.binary() ? in.checked(in.int32(), "elements", 2, 8) : 1;
    if (several < 1 || several > count - done)
      in.broken(fmt::format("a block of {} elements, where {} are still to come", several, count - done));
    const std::int64_t tags = in.checked(in.int32(), "tags", 1, 4);
    for (std::int64_t k = 0; k < several; ++k, ++done) {
      if (in.binary()) {
        number = in.int32();
        place = in.place();
      }
      read_element_22(in, file, number, type, tags, place);
    }
  }
  if (!file.names.empty() && !file.lines.empty() && file.curves.empty())
    in.fail(
        "no line is in a physical curve, though $PhysicalNames has some: Gmsh leaves them out of version 2.2 where "
        "Mesh.SaveAll is set; set Mesh.SaveAll = 0, or write version 4.1",
        count_place);
}

}  // namespace

const GmshLayout gmsh_22{2.2, 4, nullptr, read_nodes_22, read_elements_22};

}  // namespace quoin
