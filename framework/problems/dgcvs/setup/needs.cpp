#include "problems/dgcvs/setup/needs.hpp"

#include <algorithm>
#include <cmath>

#include "problems/dgcvs/setup/case_mesh.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

/// Vectors that grow, and copies on the way from one array to the next: measured.
constexpr double growth = 1.5;

/// The entities of one kind: how many, those of the boundary, and at most how many sub-quads and boundary half faces
/// each has.
struct Kind {
  double entities, boundary, slots, faces;
};

/// Mesh and Staggered.
double mesh_bytes(const MeshSize& mesh) {
  constexpr double entity = 6 * 8.0;  // of the lists of Entities, but for the sub-quads
  const double names = mesh.named ? 8.0 : 0.0;
  const double vertex = sizeof(Point) + names + entity;
  const double cell = 8.0 + names + entity;
  const double corner = 8.0 + sizeof(SubQuad) + 2 * 8.0;
  return vertex * mesh.vertices + cell * mesh.cells + corner * mesh.corners + sizeof(BoundaryEdge) * mesh.boundary;
}

}  // namespace

Estimate needs_of(const Case& the_case, const HostLaw& law, const DgMethod& method, const MeshSize& mesh,
                  bool changing_sides, double frames, int ranks) {
  const auto size = static_cast<double>(element_size(method.precision));
  const auto variables = static_cast<double>(law.size());
  const double space = dgcvs_space(method.order);
  const double unknowns = dgcvs_values(law.law(), method.order);
  const double between_launches = method.max_launches() == 1 ? 0.0 : dgcvs_rhs(law.law(), method.order);
  // In the order of the mesh a whole group of entities has room for faces where one has some.
  const double of_boundary = mesh.boundary * (method.entities == EntityOrder::mesh_order ? entity_group : 1.0);
  const Kind cells{mesh.cells, std::min(mesh.cells, of_boundary), mesh.of_cell, mesh.of_cell};
  const std::string& limiter = the_case.text("method.limiter");
  const bool together = method.goes_together(mesh.cells, mesh.boundary);
  const bool shared_shapes = mesh.alike && !together && (limiter == "none" || limiter == "auto");
  const Kind vertices{mesh.vertices, std::min(mesh.vertices, of_boundary), mesh.around, 2.0};

  Estimate needs;
  needs.host = mesh_bytes(mesh);
  needs.disk = needs.checkpoint = 64e3;
  for (const Kind& kind : {cells, vertices}) {
    // What the host keeps in double, the device has in its precision.
    const double lanes = kind.entities + 3 * entity_group;
    const double region = law_degree(law.law()) == 0 && !law.has_bed() && kind.slots == 4 ? dgcvs_region : 0.0;
    const double shape = dgcvs_geometry * kind.slots + region + space * (space + 1) / 2 + dgcvs_moments(method.order);
    const double bed = law.has_bed() ? kind.slots * dgcvs_bed(method.order) + 3 : 0.0;
    const double shapes = (shared_shapes ? kind.boundary + 4 * entity_group : lanes) * shape;
    const double lists = (together ? 1.0 : 0.0) + (method.indexed ? 1.0 : 0.0);
    needs.host += 8.0 * (lanes * (kind.slots + 1 + lists + bed) + shapes);
    needs.device +=
        lanes * (8.0 * (kind.slots + lists) + size * (unknowns + between_launches + 4 + bed)) + size * shapes;
    needs.checkpoint += lanes * size * unknowns;
    needs.pieces += lanes * size * unknowns;
    if (mesh.boundary == 0.0) continue;
    const double half_faces = (kind.boundary + 2 * entity_group) * kind.faces;
    needs.host += half_faces * (8.0 + 8.0 * dgcvs_face + sizeof(HalfFace));
    needs.device += half_faces * (8.0 + size * dgcvs_face);
    const double states = half_faces * (method.order + 1) * (method.order + 1) * variables * size;
    // The table has room for more steps: small meshes come to them, and on large ones a chunk has few.
    constexpr double steps = 64;
    const double table =
        states * (changing_sides ? std::min(steps, static_cast<double>(method.max_steps.value_or(steps))) : 1.0);
    needs.device += table;
    needs.temporary = std::max(needs.temporary, (1.0 + 8.0 / size) * table);
  }

  // A frame has the coefficients in double, and one of them as it comes, its values and lists; a part of one has all
  // that it writes, and a piece also its file.
  const bool files = the_case.boolean("output.fields.write");
  const bool pieces = files && the_case.boolean("output.fields.pieces");
  const auto write = [&](double nodes, double elements, double entities) {
    const double values = 8.0 * static_cast<double>(law.outputs().size()) * nodes;
    const double lists = 4 * 8.0 * elements + 4 * 8.0 * entities;
    const double frame = nodes * sizeof(Point) + entities * 8.0 * unknowns;
    const double file = values + lists + frame;
    needs.temporary =
        std::max(needs.temporary, entities * (8.0 * unknowns + size) + values + growth * lists +
                                      (pieces || ranks > 1 ? growth * frame : 0.0) + (pieces ? growth * file : 0.0));
    if (files) needs.disk += frames * file;
    if (files && !pieces && frames > 1 && method.compression != Compression::none)
      needs.host += (mesh.alike ? 7.0 : 18.0) * nodes;  // its text, which all frames have: measured
  };
  const std::string& level = the_case.text("output.fields.level");
  const double side = std::max(1, method.order) + 1;
  const double triangles = 4 * mesh.cells - mesh.corners;
  if (level != "vertices")
    write(side * side * (mesh.cells - triangles) + side * (side + 1) / 2 * triangles, mesh.cells, mesh.cells);
  if (level != "cells") write(side * side * mesh.corners, mesh.corners, mesh.vertices);
  return needs;
}

Estimate needs_of(const DgSetup& setup, std::int64_t steps, int ranks) {
  MeshSize size = size_of(setup.mesh);
  const Entities& vertices = setup.staggered.vertices;
  for (std::int64_t v = 0; v < vertices.count(); ++v)  // where sides are joined there are more around one than before
    size.around = std::max(size.around, static_cast<double>(vertices.quads_of(v).size()));
  const bool of_file = setup.the_case().text("problem.mesh.type") == "gmsh";
  size.alike = !of_file && setup.limiter == Limiter::none && size_of(rectangle_of(setup.the_case())).alike;
  const bool changing = std::ranges::any_of(setup.sides, &SideCondition::uses_time);
  const std::optional<Every>& every = setup.method.frames;
  double frames = 1;
  if (every && every->count() > 0)
    frames += 1 + std::floor(static_cast<double>(steps) / static_cast<double>(every->count()));
  else if (every)
    frames += 1 + setup.method.final_time / every->time();
  return needs_of(setup.the_case(), setup.law, setup.method, size, changing, frames, ranks);
}

}  // namespace quoin
