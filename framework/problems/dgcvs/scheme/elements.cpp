#include "problems/dgcvs/scheme/elements.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "base/wide.hpp"
#include "output/element_files.hpp"
#include "problems/dgcvs/scheme/point_pack.hpp"

namespace quoin {
namespace {

/// Puts the nodes of a quadrilateral with these corners.
QUOIN_WIDE void put_square(const std::array<Point, 4>& p, const std::vector<Point>& square, Point* nodes) {
  for (std::size_t first = 0; first < square.size(); first += points_together) {
    OfPoints a, b;
    const std::size_t count = take_points(std::span(square).subspan(first), a, b);
    const OfPoints x = (1 - b) * ((1 - a) * p[0].x + a * p[1].x) + b * ((1 - a) * p[3].x + a * p[2].x);
    const OfPoints y = (1 - b) * ((1 - a) * p[0].y + a * p[1].y) + b * ((1 - a) * p[3].y + a * p[2].y);
    for (std::size_t k = 0; k < count; ++k) nodes[first + k] = {x[k], y[k]};
  }
}

/// Hands over an array in pieces, which all cores fill: `first_of(entity)` is where an entity's values are in all of
/// it, and fill(entity, values) sets them.
template <class T, class FirstOf, class Fill>
void give_filled(std::size_t entities, const FirstOf& first_of, const Fill& fill, const TakeBytes& take) {
  constexpr std::size_t at_once = 4096;
  std::vector<T> values;
  for (std::size_t first = 0; first < entities; first += at_once) {
    const std::size_t count = std::min(at_once, entities - first);
    const std::size_t before = first_of(first);
    values.resize(first_of(first + count) - before);
    parallel_parts(
        static_cast<std::int64_t>(count),
        [&](const Part& part) {
          for (std::size_t k = first + static_cast<std::size_t>(part.first);
               k < first + static_cast<std::size_t>(part.last); ++k)
            fill(k, values.data() + (first_of(k) - before));
        },
        /*least=*/512);
    take(std::as_bytes(std::span(values)));
  }
}

}  // namespace

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
  add_data();
}

std::span<const std::int64_t> Elements::quads_of(std::size_t entity) const {
  return solution_.entities().quads_of(numbers_[entity]);
}

/// The cells of an entity are that itself, or its sub-quads.
Elements::Cell Elements::cell_of(std::size_t entity, std::size_t number) const {
  const auto quads = quads_of(entity);
  const auto corners_of = [&](std::size_t k) -> const std::array<Point, 4>& {
    return setup_.staggered.quads[static_cast<std::size_t>(quads[k])].corners;
  };
  if (!cells_) return {CellShape::quadrilateral, corners_of(number), corners_of(number)[0]};
  const Point centre = solution_.entities().centre[static_cast<std::size_t>(numbers_[entity])];
  std::array<Point, 4> corners{corners_of(0)[0], corners_of(1)[0], corners_of(2)[0]};
  if (quads.size() == 3) return {CellShape::triangle, corners, centre};
  corners[3] = corners_of(3)[0];
  return {CellShape::quadrilateral, corners, centre};
}

void Elements::put_nodes(const Cell& cell, Point* nodes) const {
  if (cell.shape == CellShape::quadrilateral) return put_square(cell.corners, square_, nodes);
  const auto& [a, b, c, unused] = cell.corners;
  for (const Point node : triangle_) *nodes++ = a + node.x * (b - a) + node.y * (c - a);
}

void Elements::make_room() {
  Place next{0, 0};
  places_.reserve(numbers_.size() + 1);
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
  for (NodeValues& field : frame_.fields) resize_cleared(field.values, next.node);
  length_.resize(numbers_.size());
}

/// visit(cell, nodes): each cell of an entity, and how many nodes it has.
template <class Visit>
void Elements::each_cell(std::size_t entity, const Visit& visit) const {
  const std::size_t cells = places_[entity + 1].cell - places_[entity].cell;
  for (std::size_t number = 0; number < cells; ++number) {
    const Cell cell = cell_of(entity, number);
    visit(cell, (cell.shape == CellShape::triangle ? triangle_ : square_).size());
  }
}

void Elements::fill(std::size_t entity, const Bed& bed) {
  length_[entity] = solution_.entities().length[static_cast<std::size_t>(numbers_[entity])];
  Place at = places_[entity];
  each_cell(entity, [&](const Cell& cell, std::size_t count) {
    fill_cell(at, entity, cell, count, bed);
    ++at.cell;
    at.node += count;
  });
}

void Elements::fill_cell(Place at, std::size_t entity, const Cell& cell, std::size_t count, const Bed& bed) {
  frame_.shapes[at.cell] = cell.shape;
  owner_[at.cell] = numbers_[entity];
  centres_[2 * at.cell] = cell.centre.x;
  centres_[2 * at.cell + 1] = cell.centre.y;
  constexpr std::size_t most = 25;  // nodes of order 4
  std::array<Point, most> nodes;
  std::array<State, most> states;
  put_nodes(cell, nodes.data());
  solution_.polynomial(numbers_[entity], cell.centre).at(std::span(nodes).first(count), std::span(states).first(count));
  for (std::size_t k = 0; k < count; ++k) {
    const Outputs outputs = setup_.law.output(setup_.over_bed(states[k], bed, nodes[k]));
    for (std::size_t v = 0; v < frame_.fields.size(); ++v) frame_.fields[v].values[at.node + k] = outputs[v];
  }
}

/// What the polynomials are made of, for programs: apps/quoin/HDF5.md.
void Elements::add_data() {
  const std::int64_t basis = dgcvs_basis(setup_.method.order);
  const auto variables = static_cast<std::int64_t>(setup_.law.size());
  const auto count = static_cast<std::int64_t>(numbers_.size());
  std::vector<std::int64_t> powers;
  for (const Member& member : basis_members(setup_.method.order))
    powers.insert(powers.end(), {member.i, member.j, member.k});
  const auto cells = static_cast<std::int64_t>(owner_.size());
  frame_.data.push_back({"coefficients", {count, variables, basis}, std::vector<double>()});
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
}

void Elements::give(const std::string& array, const TakeBytes& take) const {
  if (array == "nodes") {
    const auto put = [&](std::size_t entity, Point* nodes) {
      each_cell(entity, [&](const Cell& cell, std::size_t count) {
        put_nodes(cell, nodes);
        nodes += count;
      });
    };
    give_filled<Point>(
        numbers_.size(), [&](std::size_t entity) { return places_[entity].node; }, put, take);
  } else if (array == "coefficients") {
    const auto put = [&](std::size_t entity, double* values) {
      for (std::size_t n = 0; n < unknowns_; ++n)
        values[n] = solution_.conserved(numbers_[entity], static_cast<std::int64_t>(n));
    };
    give_filled<double>(
        numbers_.size(), [&](std::size_t entity) { return entity * unknowns_; }, put, take);
  } else {
    give_array(frame_, array, take);
  }
}

ElementsOfRanks Elements::by_array() const {
  ElementsOfRanks elements{without_values(frame_), static_cast<std::int64_t>(places_.back().cell),
                           static_cast<std::int64_t>(places_.back().node)};
  elements.give = [this](const std::string& array, const TakeBytes& take) { give(array, take); };
  elements.by_many = true;
  return elements;
}

ElementPiece Elements::piece() const {
  constexpr std::size_t number = 8;  // bytes
  const auto [inside_cells, inside_nodes] = places_[inside_];
  std::vector<ElementPiece::Array> arrays{
      {"nodes", inside_nodes * sizeof(Point)},        {"corners", inside_cells * number},
      {"coefficients", inside_ * unknowns_ * number}, {"length", inside_ * number},
      {"centre", inside_cells * 2 * number},          {"entity", inside_cells * number}};
  for (const NodeValues& field : frame_.fields) arrays.push_back({"fields/" + field.name, inside_nodes * number});
  return {collected(by_array()), std::move(arrays), numbers_};
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
