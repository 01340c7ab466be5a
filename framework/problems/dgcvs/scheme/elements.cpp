#include "problems/dgcvs/scheme/elements.hpp"

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

/// A frame, entity by entity.
class Elements {
 public:
  explicit Elements(const Solution& solution);
  void add(const EntityRange& range) {
    for (std::int64_t e = range.first; e < range.last; ++e) add(e);
  }
  /// Those that were added so far are all that are inside.
  void end_inside() { inside_ = {frame_.nodes.size(), frame_.shapes.size(), numbers_.size()}; }
  /// With the polynomials.
  [[nodiscard]] ElementPiece finished();

 private:
  void add(std::int64_t entity);
  void add_cell(CellShape shape, Point centre);
  void add_node(Point point, Point centre);

  const Solution& solution_;
  const DgSetup& setup_;
  const Staggered& staggered_;
  const bool cells_;
  ElementFields frame_;
  std::vector<Point> square_, triangle_;
  std::vector<std::int64_t> numbers_;  // of the entities
  std::vector<std::int64_t> owner_;    // of each cell of the frame
  std::vector<double> centres_;
  struct Counts {
    std::size_t nodes, cells, entities;
  } inside_{};
};

Elements::Elements(const Solution& solution)
    : solution_(solution),
      setup_(solution.setup()),
      staggered_(setup_.staggered),
      cells_(solution.kind() == EntityKind::cells) {
  frame_.level = cells_ ? "cells" : "vertices";
  frame_.step = solution.step();
  frame_.time = solution.time();
  frame_.order = std::max(1, setup_.method.order);
  for (const std::string& variable : setup_.law.variables()) frame_.fields.push_back({variable, {}});
  square_ = lagrange_nodes(CellShape::quadrilateral, frame_.order);
  triangle_ = lagrange_nodes(CellShape::triangle, frame_.order);
}

/// Of the newest entity.
void Elements::add_cell(CellShape shape, Point centre) {
  frame_.shapes.push_back(shape);
  owner_.push_back(numbers_.back());
  centres_.insert(centres_.end(), {centre.x, centre.y});
}

void Elements::add_node(Point point, Point centre) {
  frame_.nodes.push_back(point);
  const State state = solution_.at(numbers_.back(), point, centre);
  for (std::size_t v = 0; v < frame_.fields.size(); ++v) frame_.fields[v].values.push_back(state[v]);
}

void Elements::add(std::int64_t entity) {
  const Entities& entities = solution_.entities();
  const auto quads = entities.quads_of(entity);
  const auto corners_of = [&](std::size_t k) -> const auto& {
    return staggered_.quads[static_cast<std::size_t>(quads[k])].corners;
  };
  numbers_.push_back(entity);
  if (!cells_) {
    for (std::size_t k = 0; k < quads.size(); ++k) {
      add_cell(CellShape::quadrilateral, corners_of(k)[0]);
      for (const Point node : square_) add_node(bilinear(corners_of(k), node), corners_of(k)[0]);
    }
    return;
  }
  const Point centre = entities.centre[static_cast<std::size_t>(entity)];
  const Point a = corners_of(0)[0];
  const Point b = corners_of(1)[0];
  const Point c = corners_of(2)[0];
  if (quads.size() == 3) {
    add_cell(CellShape::triangle, centre);
    for (const Point node : triangle_) add_node(a + node.x * (b - a) + node.y * (c - a), centre);
  } else {
    add_cell(CellShape::quadrilateral, centre);
    for (const Point node : square_) add_node(bilinear({a, b, c, corners_of(3)[0]}, node), centre);
  }
}

/// What the polynomials are made of, for programs: apps/quoin/HDF5.md.
ElementPiece Elements::finished() {
  const std::int64_t basis = dgcvs_basis(setup_.method.order);
  const auto variables = static_cast<std::int64_t>(setup_.law.size());
  const auto count = static_cast<std::int64_t>(numbers_.size());
  std::vector<double> coefficients;
  std::vector<double> length;
  for (const std::int64_t e : numbers_) {
    for (std::int64_t n = 0; n < variables * basis; ++n) coefficients.push_back(solution_.coefficient(e, n));
    length.push_back(solution_.entities().length[static_cast<std::size_t>(e)]);
  }
  std::vector<std::int64_t> powers;
  for (const Member& member : basis_members(setup_.method.order))
    powers.insert(powers.end(), {member.i, member.j, member.k});
  const auto cells = static_cast<std::int64_t>(owner_.size());
  frame_.data.push_back({"coefficients", {count, variables, basis}, std::move(coefficients)});
  frame_.data.push_back({"powers", {basis, 3}, std::move(powers)});
  frame_.data.push_back({"length", {count}, std::move(length)});
  frame_.data.push_back({"centre", {cells, 2}, std::move(centres_)});
  frame_.data.push_back({"entity", {cells}, std::move(owner_)});
  frame_.facts = {
      {"variables", setup_.law.variables()},
      {"degree", std::int64_t{setup_.method.order}},
      {"half_step", solution_.half_step()},
      {"basis", "X^i Y^j s^k with (i, j, k) from powers"},
      {"scaling", "X = (x - centre[0]) / length, Y = (y - centre[1]) / length, s = (t - time) / half_step"}};
  constexpr std::size_t number = 8;  // bytes
  std::vector<ElementPiece::Array> arrays{
      {"nodes", inside_.nodes * sizeof(Point)},
      {"corners", inside_.cells * number},
      {"coefficients", inside_.entities * static_cast<std::size_t>(variables * basis) * number},
      {"length", inside_.entities * number},
      {"centre", inside_.cells * 2 * number},
      {"entity", inside_.cells * number}};
  for (const NodeValues& field : frame_.fields) arrays.push_back({"fields/" + field.name, inside_.nodes * number});
  return {std::move(frame_), std::move(arrays), std::move(numbers_)};
}

}  // namespace

ElementPiece piece_of(const Solution& solution, const EntityPart& part) {
  Elements elements(solution);
  elements.add(part.inside);
  elements.end_inside();
  elements.add(part.boundary);
  return elements.finished();
}

void stand_alone(ElementPiece& piece) {
  std::vector<NamedArray>& data = piece.frame.data;
  auto& owners = std::get<std::vector<std::int64_t>>(std::ranges::find(data, "entity", &NamedArray::name)->values);
  std::int64_t own = 0;
  for (std::int64_t& owner : owners) {  // cells come entity by entity
    while (piece.entities[static_cast<std::size_t>(own)] != owner) ++own;
    owner = own;
  }
  const auto count = static_cast<std::int64_t>(piece.entities.size());
  data.push_back({"number", {count}, piece.entities});
}

}  // namespace quoin
