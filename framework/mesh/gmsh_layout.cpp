#include "mesh/gmsh_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "mesh/gmsh_elements.hpp"

namespace quoin {

std::int64_t read_node_number(GmshStream& in) {
  const std::int64_t number = in.tag();
  if (number < 1) in.broken(fmt::format("a node has the number {}: they start at 1", number));
  return number;
}

void read_coordinates(GmshStream& in, GmshFile& file, std::int64_t number, std::size_t place) {
  const double x = in.real(), y = in.real(), z = in.real();
  file.nodes.push_back({number, {x, y}, z, place});
}

GmshElement& read_corners(GmshStream& in, GmshFile& file, std::int64_t number, std::size_t corners, std::size_t place) {
  auto& list = corners == 1 ? file.points : corners == 2 ? file.lines : file.cells;
  GmshElement& element = list.emplace_back(GmshElement{number, {}, 0, place});
  for (std::size_t k = 0; k < corners; ++k) element.nodes[k] = read_node_number(in);
  return element;
}

void read_entities(GmshStream& in, GmshFile& file, int numbers_of_point) {
  std::array<std::int64_t, 4> counts{};
  for (std::int64_t& count : counts) count = in.checked(in.int64(), "entities", 5, 36);
  for (std::size_t dimension = 0; dimension < 4; ++dimension) {
    for (std::int64_t left = counts[dimension]; left > 0; --left) {
      const std::int64_t entity = in.int32();
      std::vector<std::int64_t>* groups = nullptr;
      if (dimension == 1) {
        const auto [curve, added] = file.curves.try_emplace(entity);
        if (!added) in.broken(fmt::format("curve {} comes a second time", entity));
        groups = &curve->second;
      }
      for (int k = dimension == 0 ? numbers_of_point : 6; k > 0; --k) in.real();
      for (std::int64_t more = in.checked(in.int64(), "physical groups", 1, 4); more > 0; --more) {
        const std::int64_t group = std::abs(in.int32());  // negative where the curve is walked backwards
        if (groups != nullptr) groups->push_back(group);
      }
      if (dimension == 0) continue;
      for (std::int64_t bounds = in.checked(in.int64(), "bounding entities", 1, 4); bounds > 0; --bounds) in.int32();
    }
  }
}

std::int64_t read_dimension(GmshStream& in) {
  const std::int64_t dimension = in.int32();
  if (dimension < 0 || dimension > 3) in.broken(fmt::format("an entity of {} dimensions: there are 0 to 3", dimension));
  return dimension;
}

void read_parameters(GmshStream& in, std::int64_t dimension, bool parametric) {
  for (std::int64_t k = parametric ? dimension : 0; k > 0; --k) in.real();
}

void read_elements_of(GmshStream& in, GmshFile& file, std::int64_t dimension, std::int64_t entity) {
  if (dimension == 1 && file.curves.count(entity) == 0)
    in.fail(
        fmt::format("curve {} is not in $Entities, which tells its physical curves; save the mesh with Gmsh, which "
                    "writes them",
                    entity));
  const std::int64_t type = in.int32();
  const std::size_t type_place = in.place();
  for (std::int64_t left = in.checked(in.int64(), "elements", 2, 8); left > 0; --left) {
    const std::int64_t number = in.tag();
    const std::size_t corners = corners_of_type(in, type, number);
    if (std::min<std::int64_t>(static_cast<std::int64_t>(corners) - 1, 2) != dimension)
      in.broken(fmt::format("elements of type {} on an entity of dimension {}", type, dimension), type_place);
    read_corners(in, file, number, corners, in.place()).entity = entity;
  }
}

void expect_count(const GmshStream& in, const char* what, std::int64_t found, std::int64_t announced,
                  std::size_t place) {
  if (found != announced)
    in.broken(fmt::format("{} {} are announced here, and there are {}", announced, what, found), place);
}

}  // namespace quoin
