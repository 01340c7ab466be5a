#include "problems/dgcvs/scheme/elements.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace quoin {
namespace {

Point bilinear(const std::array<Point, 4>& p, Point at) {
  const double a = at.x;
  const double b = at.y;
  return (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[3] + a * p[2]);
}

/// A frame in which every entity knows where its cells and nodes come, so that all cores fill it.
class Elements {
 public:
  Elements(const Solution& solution, const EntityPart& part);
  /// With the polynomials.
  [[nodiscard]] ElementPiece finished();

 private:
  struct Place {
    std::size_t cell, node;
  };
  [[nodiscard]] std::span<const std::int64_t> quads_of(std::size_t place) const {
    return solution_.entities().quads_of(numbers_[place]);
  }
  void make_room();
  void fill(std::size_t place, const Bed& bed);
  void fill_cell(Place at, CellShape shape, std::int64_t entity, Point centre, const Bed& bed);

  const Solution& solution_;
  const DgSetup& setup_;
  const bool cells_;
  const std::size_t unknowns_;
  ElementFields frame_;
  std::vector<Point> square_, triangle_;
  std::vector<std::int64_t> numbers_;  // of the entities
  std::vector<Place> places_;          // of the first cell and node of each, and the ends of all
  std::size_t inside_;                 // entities, which come first
  std::vector<std::int64_t> owner_;    // of each cell of the frame
  std::vector<double> centres_, coefficients_, length_;
};

Elements::Elements(const Solution& solution, const EntityPart& part)
    : solution_(solution),
      setup_(solution.setup()),
      cells_(solution.kind() == EntityKind::cells),
      unknowns_(static_cast<std::size_t>(setup_.unknowns())),
      inside_(static_cast<std::size_t>(part.inside.count())) {
  frame_.level = name_of(solution.kind());
  frame_.step = solution.step();
  frame_.time = solution.time();
  frame_.order = std::max(1, setup_.method.order);
  frame_.compression = setup_.method.compression;
  for (const std::string& variable : setup_.law.outputs()) frame_.fields.push_back({variable, {}});
  square_ = lagrange_nodes(CellShape::quadrilateral, frame_.order);
  triangle_ = lagrange_nodes(CellShape::triangle, frame_.order);
  for (std::int64_t k = 0; k < part.count(); ++k) numbers_.push_back(part.entity(k));
  make_room();
  parallel_parts(part.count(), [&](const Part& some) {
    const Bed bed = setup_.bed();
    for (std::int64_t k = some.first; k < some.last; ++k) fill(static_cast<std::size_t>(k), bed);
  });
}

void Elements::make_room() {
  Place next{0, 0};
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    places_.push_back(next);
    const std::size_t quads = quads_of(k).size();
    next.cell += cells_ ? 1 : quads;
    next.node += !cells_ ? quads * square_.size() : quads == 3 ? triangle_.size() : square_.size();
  }
  places_.push_back(next);
  frame_.shapes.resize(next.cell);
  owner_.resize(next.cell);
  centres_.resize(2 * next.cell);
  resize_cleared(frame_.nodes, next.node);
  for (NodeValues& field : frame_.fields) resize_cleared(field.values, next.node);
  resize_cleared(coefficients_, numbers_.size() * unknowns_);
  length_.resize(numbers_.size());
}

/// A cell whose nodes are set.
void Elements::fill_cell(Place at, CellShape shape, std::int64_t entity, Point centre, const Bed& bed) {
  frame_.shapes[at.cell] = shape;
  owner_[at.cell] = entity;
  centres_[2 * at.cell] = centre.x;
  centres_[2 * at.cell + 1] = centre.y;
  const PolynomialInSpace polynomial = solution_.polynomial(entity, centre);
  const std::size_t end = at.node + (shape == CellShape::triangle ? triangle_ : square_).size();
  for (std::size_t node = at.node; node < end; ++node) {
    const Point point = frame_.nodes[node];
    const Outputs values = setup_.law.output(setup_.over_bed(polynomial.at(point), bed, point));
    for (std::size_t v = 0; v < frame_.fields.size(); ++v) frame_.fields[v].values[node] = values[v];
  }
}

void Elements::fill(std::size_t place, const Bed& bed) {
  const std::int64_t entity = numbers_[place];
  const Entities& entities = solution_.entities();
  length_[place] = entities.length[static_cast<std::size_t>(entity)];
  for (std::size_t n = 0; n < unknowns_; ++n)
    coefficients_[place * unknowns_ + n] = solution_.conserved(entity, static_cast<std::int64_t>(n));

  const auto quads = quads_of(place);
  const auto corners_of = [&](std::size_t k) -> const auto& {
    return setup_.staggered.quads[static_cast<std::size_t>(quads[k])].corners;
  };
  Place at = places_[place];
  Point* nodes = &frame_.nodes[at.node];
  if (!cells_) {
    for (std::size_t k = 0; k < quads.size(); ++k, ++at.cell, at.node += square_.size()) {
      for (const Point node : square_) *nodes++ = bilinear(corners_of(k), node);
      fill_cell(at, CellShape::quadrilateral, entity, corners_of(k)[0], bed);
    }
    return;
  }
  const Point a = corners_of(0)[0];
  const Point b = corners_of(1)[0];
  const Point c = corners_of(2)[0];
  const CellShape shape = quads.size() == 3 ? CellShape::triangle : CellShape::quadrilateral;
  if (shape == CellShape::triangle)
    for (const Point node : triangle_) *nodes++ = a + node.x * (b - a) + node.y * (c - a);
  else
    for (const Point node : square_) *nodes++ = bilinear({a, b, c, corners_of(3)[0]}, node);
  fill_cell(at, shape, entity, entities.centre[static_cast<std::size_t>(entity)], bed);
}

/// What the polynomials are made of, for programs: apps/quoin/HDF5.md.
ElementPiece Elements::finished() {
  const std::int64_t basis = dgcvs_basis(setup_.method.order);
  const auto variables = static_cast<std::int64_t>(setup_.law.size());
  const auto count = static_cast<std::int64_t>(numbers_.size());
  std::vector<std::int64_t> powers;
  for (const Member& member : basis_members(setup_.method.order))
    powers.insert(powers.end(), {member.i, member.j, member.k});
  const auto cells = static_cast<std::int64_t>(owner_.size());
  frame_.data.push_back({"coefficients", {count, variables, basis}, std::move(coefficients_)});
  frame_.data.push_back({"powers", {basis, 3}, std::move(powers)});
  frame_.data.push_back({"length", {count}, std::move(length_)});
  frame_.data.push_back({"centre", {cells, 2}, std::move(centres_)});
  frame_.data.push_back({"entity", {cells}, std::move(owner_)});
  frame_.facts = {
      {"variables", setup_.law.variables()},
      {"degree", std::int64_t{setup_.method.order}},
      {"half_step", solution_.half_step()},
      {"basis", "X^i Y^j s^k with (i, j, k) from powers"},
      {"scaling", "X = (x - centre[0]) / length, Y = (y - centre[1]) / length, s = (t - time) / half_step"}};
  constexpr std::size_t number = 8;  // bytes
  const auto [inside_cells, inside_nodes] = places_[inside_];
  std::vector<ElementPiece::Array> arrays{
      {"nodes", inside_nodes * sizeof(Point)},        {"corners", inside_cells * number},
      {"coefficients", inside_ * unknowns_ * number}, {"length", inside_ * number},
      {"centre", inside_cells * 2 * number},          {"entity", inside_cells * number}};
  for (const NodeValues& field : frame_.fields) arrays.push_back({"fields/" + field.name, inside_nodes * number});
  return {std::move(frame_), std::move(arrays), std::move(numbers_)};
}

}  // namespace

ElementPiece piece_of(const Solution& solution, const EntityPart& part) { return Elements(solution, part).finished(); }

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
