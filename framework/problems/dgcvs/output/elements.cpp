#include "problems/dgcvs/output/elements.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace quoin {
namespace {

Point bilinear(const std::array<Point, 4>& p, Point at) {
  const double a = at.x;
  const double b = at.y;
  return (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[3] + a * p[2]);
}

/// What the polynomials are made of, for programs: apps/quoin/HDF5.md. `owner` and `centres` are those of the cells of
/// the frame.
void add_polynomials(ElementFields& frame, const Solution& solution, std::vector<std::int64_t> owner,
                     std::vector<double> centres) {
  const DgSetup& setup = solution.setup();
  const Entities& entities = solution.entities();
  const std::int64_t basis = dgcvs_basis(setup.method.order);
  const auto variables = static_cast<std::int64_t>(setup.law.size());
  std::vector<double> coefficients;
  for (std::int64_t e = 0; e < entities.count(); ++e)
    for (std::int64_t n = 0; n < variables * basis; ++n) coefficients.push_back(solution.coefficient(e, n));
  std::vector<std::int64_t> powers;
  for (const Member& member : basis_members(setup.method.order))
    powers.insert(powers.end(), {member.i, member.j, member.k});
  const auto cells = static_cast<std::int64_t>(owner.size());
  frame.data.push_back({"coefficients", {entities.count(), variables, basis}, std::move(coefficients)});
  frame.data.push_back({"powers", {basis, 3}, std::move(powers)});
  frame.data.push_back({"length", {entities.count()}, entities.length});
  frame.data.push_back({"centre", {cells, 2}, std::move(centres)});
  frame.data.push_back({"entity", {cells}, std::move(owner)});
  frame.facts = {{"variables", setup.law.variables()},
                 {"degree", std::int64_t{setup.method.order}},
                 {"half_step", solution.half_step()},
                 {"basis", "X^i Y^j s^k with (i, j, k) from powers"},
                 {"scaling", "X = (x - centre[0]) / length, Y = (y - centre[1]) / length, s = (t - time) / half_step"}};
}

}  // namespace

ElementFields elements_of(const Solution& solution) {
  const DgSetup& setup = solution.setup();
  const Staggered& s = setup.staggered;
  const bool cells = solution.kind() == EntityKind::cells;
  const Entities& entities = solution.entities();
  ElementFields frame;
  frame.level = cells ? "cells" : "vertices";
  frame.step = solution.step();
  frame.time = solution.time();
  frame.order = std::max(1, setup.method.order);
  for (const std::string& variable : setup.law.variables()) frame.fields.push_back({variable, {}});
  const std::vector<Point> square = lagrange_nodes(CellShape::quadrilateral, frame.order);
  const std::vector<Point> triangle = lagrange_nodes(CellShape::triangle, frame.order);
  std::vector<std::int64_t> owner;  // of each cell of the frame
  std::vector<double> centres;
  const auto add_cell = [&](std::int64_t entity, CellShape shape, Point centre) {
    frame.shapes.push_back(shape);
    owner.push_back(entity);
    centres.insert(centres.end(), {centre.x, centre.y});
  };
  const auto add_node = [&](std::int64_t entity, Point point, Point centre) {
    frame.nodes.push_back(point);
    const State state = solution.at(entity, point, centre);
    for (std::size_t v = 0; v < frame.fields.size(); ++v) frame.fields[v].values.push_back(state[v]);
  };
  for (std::int64_t e = 0; e < entities.count(); ++e) {
    const auto quads = entities.quads_of(e);
    const auto corners_of = [&](std::size_t k) -> const auto& {
      return s.quads[static_cast<std::size_t>(quads[k])].corners;
    };
    if (!cells) {
      for (std::size_t k = 0; k < quads.size(); ++k) {
        add_cell(e, CellShape::quadrilateral, corners_of(k)[0]);
        for (const Point node : square) add_node(e, bilinear(corners_of(k), node), corners_of(k)[0]);
      }
      continue;
    }
    const Point centre = entities.centre[static_cast<std::size_t>(e)];
    const Point a = corners_of(0)[0];
    const Point b = corners_of(1)[0];
    const Point c = corners_of(2)[0];
    if (quads.size() == 3) {
      add_cell(e, CellShape::triangle, centre);
      for (const Point node : triangle) add_node(e, a + node.x * (b - a) + node.y * (c - a), centre);
    } else {
      add_cell(e, CellShape::quadrilateral, centre);
      for (const Point node : square) add_node(e, bilinear({a, b, c, corners_of(3)[0]}, node), centre);
    }
  }
  add_polynomials(frame, solution, std::move(owner), std::move(centres));
  return frame;
}

}  // namespace quoin
