#include "problems/dgcvs/setup/case_mesh.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "mesh/gmsh.hpp"
#include "mesh/periodic.hpp"
#include "mesh/refine.hpp"
#include "problems/beside.hpp"
#include "problems/dgcvs/setup/needs.hpp"
#include "problems/dgcvs/setup/sides.hpp"
#include "quoin/error.hpp"

namespace quoin {
Rectangle rectangle_of(const Case& the_case) {
  const auto cells = the_case.integers("problem.mesh.cells");
  const auto x = the_case.reals("problem.domain.x");
  const auto y = the_case.reals("problem.domain.y");
  return {{x[0], y[0]},
          {x[1], y[1]},
          cells[0],
          cells[1],
          the_case.text("problem.mesh.shape") == "tri" ? RectangleCells::tri : RectangleCells::quad,
          the_case.real("problem.mesh.perturb")};
}

namespace {

/// The side that a periodic one is joined to: the one it names, else the opposite side of a rectangle.
std::string partner_of(const Case& the_case, const std::string& side) {
  const std::string key = side_key(side, "with");
  if (the_case.has(key)) return the_case.text(key);
  constexpr std::array<std::array<const char*, 2>, 4> opposite{
      {{"left", "right"}, {"right", "left"}, {"bottom", "top"}, {"top", "bottom"}}};
  for (const auto& [one, other] : opposite)
    if (side == one) return other;
  throw the_case.error_at(key, "the periodic side '" + side + "' needs '" + key + "', the side that it is joined to");
}

void join_periodic(const Case& the_case, Mesh& mesh) {
  for (const std::string& side : the_case.names("problem.boundary")) {
    const std::string key = side_key(side, "type");
    if (the_case.text(key) != "periodic") continue;
    const std::string other = partner_of(the_case, side);
    const std::string other_key = side_key(other, "type");
    if (!the_case.has(other_key) || the_case.text(other_key) != "periodic")
      throw the_case.error_at(key, "'" + side + "' is periodic and '" + other + "' is not; both must be");
    if (side == other || partner_of(the_case, other) != side)
      throw the_case.error_at(key, "'" + side + "' is to be joined to '" + other + "', which is joined to '" +
                                       partner_of(the_case, other) + "'; each must name the other one");
    if (side < other) match_periodic(mesh, side, other);
  }
}

/// Refuses a mesh that is too large before it is made.
void require_room(const Case& the_case, const HostLaw& law, const DgMethod& method, const MeshSize& size) {
  const Estimate needs = needs_of(the_case, law, method, size, false);
  require_host_memory(resident_memory() + needs.host + needs.temporary, the_case.name());
}

}  // namespace

Mesh mesh_of(const Case& the_case, const HostLaw& law, const DgMethod& method) {
  const std::int64_t levels = the_case.integer("problem.mesh.refine");
  Mesh mesh;
  if (the_case.text("problem.mesh.type") == "gmsh") {
    mesh = read_gmsh(beside_case(the_case, "problem.mesh.file"));
  } else {
    const Rectangle rectangle = rectangle_of(the_case);
    require_room(the_case, law, method, size_of(rectangle).refined(levels));
    mesh = make_rectangle(rectangle);
  }
  for (const std::string& side : the_case.names("problem.boundary")) {
    if (std::ranges::find(mesh.sides, side) != mesh.sides.end()) continue;
    std::string known;
    for (const std::string& name : mesh.sides) known += (known.empty() ? "" : ", ") + name;
    const std::string hint = did_you_mean(side, mesh.sides);
    throw the_case.error_at("problem.boundary." + path_part(side),
                            "the mesh has no side '" + side + "'" + (hint.empty() ? "; its sides are " + known : hint));
  }
  if (levels > 0) require_room(the_case, law, method, size_of(mesh).refined(levels));
  mesh = refine(std::move(mesh), static_cast<int>(levels));
  join_periodic(the_case, mesh);
  return mesh;
}

}  // namespace quoin
