#include "mesh/gmsh_elements.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

namespace quoin {
namespace {

// Types that follow each other, with their nodes: a shape of ever higher orders.
struct ElementTypes {
  std::int64_t first;
  const char* shape;
  std::array<int, 7> nodes;
};
constexpr std::array<ElementTypes, 12> curved_types{{{8, "line", {3}},
                                                     {9, "triangle", {6}},
                                                     {10, "quadrilateral", {9}},
                                                     {16, "quadrilateral", {8}},
                                                     {20, "triangle", {9, 10, 12, 15, 15, 21}},
                                                     {26, "line", {4, 5, 6}},
                                                     {36, "quadrilateral", {16, 25, 36, 12, 16, 20}},
                                                     {42, "triangle", {28, 36, 45, 55, 66}},
                                                     {47, "quadrilateral", {49, 64, 81, 100, 121}},
                                                     {52, "triangle", {18, 21, 24, 27, 30}},
                                                     {57, "quadrilateral", {24, 28, 32, 36, 40}},
                                                     {62, "line", {7, 8, 9, 10, 11}}}};
constexpr std::array<ElementTypes, 22> solid_types{{{4, "tetrahedron", {4}},
                                                    {5, "hexahedron", {8}},
                                                    {6, "prism", {6}},
                                                    {7, "pyramid", {5}},
                                                    {11, "tetrahedron", {10}},
                                                    {12, "hexahedron", {27}},
                                                    {13, "prism", {18}},
                                                    {14, "pyramid", {14}},
                                                    {17, "hexahedron", {20}},
                                                    {18, "prism", {15}},
                                                    {19, "pyramid", {13}},
                                                    {29, "tetrahedron", {20, 35, 56, 22, 28}},
                                                    {71, "tetrahedron", {84, 120, 165, 220, 286}},
                                                    {79, "tetrahedron", {34, 40, 46, 52, 58}},
                                                    {90, "prism", {40, 75}},
                                                    {92, "hexahedron", {64, 125, 216, 343, 512, 729, 1000}},
                                                    {99, "hexahedron", {32, 44, 56, 68, 80, 92, 104}},
                                                    {106, "prism", {126, 196, 288, 405, 550}},
                                                    {111, "prism", {24, 33, 42, 51, 60, 69, 78}},
                                                    {118, "pyramid", {30, 55, 91, 140, 204, 285, 385}},
                                                    {125, "pyramid", {21, 29, 37, 45, 53, 61, 69}},
                                                    {137, "tetrahedron", {16}}}};

// `6-node triangle`; empty where these are not of the type.
std::string name_of_type(std::span<const ElementTypes> types, std::int64_t type) {
  for (const auto& [first, shape, nodes] : types)
    if (type >= first && type < first + 7 && nodes[type - first] != 0)
      return fmt::format("{}-node {}", nodes[type - first], shape);
  return "";
}

}  // namespace

std::size_t corners_of_type(const GmshStream& stream, std::int64_t type, std::int64_t element) {
  if (type == 15) return 1;
  if (type >= 1 && type <= 3) return type + 1;
  if (const std::string name = name_of_type(curved_types, type); !name.empty())
    stream.fail(fmt::format("element {} is a curved one, the {} (type {}); set Mesh.ElementOrder = 1 and mesh anew",
                            element, name, type));
  if (const std::string name = name_of_type(solid_types, type); !name.empty())
    stream.fail(fmt::format("element {} is a solid one, the {} (type {}); mesh in two dimensions (gmsh -2)", element,
                            name, type));
  stream.fail(
      fmt::format("element {} is of type {}; a mesh may have lines, triangles and quadrilaterals (types 1, 2, "
                  "3)",
                  element, type));
}

}  // namespace quoin
