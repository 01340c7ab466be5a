#include "problems/dgcvs/solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/dgcvs/basis.hpp"
#include "problems/dgcvs/parallel.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

Point bilinear(const std::array<Point, 4>& p, Point at) {
  const double a = at.x;
  const double b = at.y;
  return (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[3] + a * p[2]);
}

}  // namespace

Solution::Solution(const DgSetup& setup, EntityKind kind, const Lanes& lanes, std::vector<double> coefficients,
                   std::int64_t step, double time, double half_step)
    : setup_(setup),
      kind_(kind),
      lanes_(lanes),
      coefficients_(std::move(coefficients)),
      step_(step),
      time_(time),
      half_step_(half_step) {}

State Solution::at(std::int64_t entity, Point point, Point centre) const {
  const auto basis = static_cast<std::size_t>(dgcvs_basis(setup_.method.order));
  const auto stride = static_cast<std::size_t>(lanes_.stride);
  const auto lane = static_cast<std::size_t>(lanes_.of(entity));
  return state_at(setup_, kind_, entity, point, centre,
                  [&](std::size_t v, std::size_t m) { return coefficients_[(v * basis + m) * stride + lane]; });
}

State Solution::sample(std::int64_t cell, Point point) const {
  return at(cell, point, setup_.staggered.cells.centre[static_cast<std::size_t>(cell)]);
}

Errors Solution::errors() const {
  const GaussRule rule = gauss_rule(setup_.method.order + 3);
  Errors all;
  double area = 0.0;
  std::vector<Errors> sums(static_cast<std::size_t>(setup_.staggered.cells.count()));
  parallel_parts(setup_.staggered.cells.count(), [&](const Part& part) {
    const ExactSolution own = *setup_.exact();
    for (std::int64_t cell = part.first; cell < part.last; ++cell) {
      Errors& sum = sums[static_cast<std::size_t>(cell)];
      for (const std::int64_t q : setup_.staggered.cells.quads_of(cell)) {
        visit_quad(setup_.staggered.quads[static_cast<std::size_t>(q)].corners, rule, [&](Point point, double weight) {
          const State is = sample(cell, point);
          const State should = own.at(point, time_);
          double square = 0.0;
          for (std::size_t v = 0; v < setup_.law.size(); ++v) square += (is[v] - should[v]) * (is[v] - should[v]);
          sum.l1 += weight * std::sqrt(square);
          sum.l2 += weight * square;
          sum.linf = std::max(sum.linf, std::sqrt(square));
        });
      }
    }
  });
  for (std::size_t cell = 0; cell < sums.size(); ++cell) {
    area += setup_.staggered.cells.area[cell];
    all.l1 += sums[cell].l1;
    all.l2 += sums[cell].l2;
    all.linf = std::max(all.linf, sums[cell].linf);
  }
  all.l1 /= area;
  all.l2 = std::sqrt(all.l2 / area);
  return all;
}

Worst Solution::worst() const {
  const Entities& cells = setup_.staggered.cells;
  std::vector<std::int64_t> spoilt;
  std::int64_t largest = 0;
  double most = 0.0;
  Point middle{0, 0};
  for (std::int64_t cell = 0; cell < cells.count(); ++cell) {
    double own = 0.0;
    for (std::int64_t k = 0; k < setup_.unknowns(); ++k) {
      const double value = std::abs(coefficients_[static_cast<std::size_t>(k * lanes_.stride + lanes_.of(cell))]);
      own = std::max(own, std::isfinite(value) ? value : INFINITY);
    }
    if (own > most) largest = cell;
    most = std::max(most, own);
    if (std::isfinite(own)) continue;
    spoilt.push_back(cell);
    middle = middle + cells.centre[static_cast<std::size_t>(cell)];
  }
  const Point mean = 1.0 / static_cast<double>(std::max<std::size_t>(1, spoilt.size())) * middle;
  const auto from_mean = [&](std::int64_t cell) {
    return distance(cells.centre[static_cast<std::size_t>(cell)], mean);
  };
  return worst_of(spoilt.empty() ? largest : *std::ranges::min_element(spoilt, {}, from_mean));
}

Worst Solution::worst_of(std::int64_t cell) const {
  std::vector<Point> points{setup_.staggered.cells.centre[static_cast<std::size_t>(cell)]};
  for (const std::int64_t q : setup_.staggered.cells.quads_of(cell))
    points.push_back(setup_.staggered.quads[static_cast<std::size_t>(q)].corners[0]);
  std::size_t variable = 0;
  double worst = sample(cell, points.front())[0];
  double badness = -1.0;
  for (const Point point : points) {
    const State state = sample(cell, point);
    const bool possible = setup_.law.objection(state).empty();
    for (std::size_t v = 0; v < setup_.law.size(); ++v) {
      double own = std::abs(state[v]);
      if (!possible && v == 0) own = std::numeric_limits<double>::max();
      if (!std::isfinite(state[v])) own = INFINITY;
      if (own <= badness) continue;
      badness = own;
      variable = v;
      worst = state[v];
    }
  }
  return {cell, setup_.law.variables()[variable], worst};
}

ElementFields Solution::elements() const {
  const Staggered& s = setup_.staggered;
  const bool cells = kind_ == EntityKind::cells;
  const Entities& entities = cells ? s.cells : s.vertices;
  ElementFields frame;
  frame.level = cells ? "cells" : "vertices";
  frame.step = step_;
  frame.time = time_;
  frame.order = std::max(1, setup_.method.order);
  for (const std::string& variable : setup_.law.variables()) frame.fields.push_back({variable, {}});
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
    const State state = at(entity, point, centre);
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
  add_polynomials(frame, std::move(owner), std::move(centres));
  return frame;
}

/// What the polynomials are made of, for programs: apps/quoin/HDF5.md. `owner` and `centres` are those of the cells of
/// the frame.
void Solution::add_polynomials(ElementFields& frame, std::vector<std::int64_t> owner,
                               std::vector<double> centres) const {
  const Entities& entities = kind_ == EntityKind::cells ? setup_.staggered.cells : setup_.staggered.vertices;
  const std::int64_t basis = dgcvs_basis(setup_.method.order);
  const auto variables = static_cast<std::int64_t>(setup_.law.size());
  std::vector<double> coefficients;
  for (std::int64_t e = 0; e < entities.count(); ++e)
    for (std::int64_t n = 0; n < variables * basis; ++n)
      coefficients.push_back(coefficients_[static_cast<std::size_t>(n * lanes_.stride + lanes_.of(e))]);
  std::vector<std::int64_t> powers;
  for (const Member& member : basis_members(setup_.method.order))
    powers.insert(powers.end(), {member.i, member.j, member.k});
  const auto cells = static_cast<std::int64_t>(owner.size());
  frame.data.push_back({"coefficients", {entities.count(), variables, basis}, std::move(coefficients)});
  frame.data.push_back({"powers", {basis, 3}, std::move(powers)});
  frame.data.push_back({"length", {entities.count()}, entities.length});
  frame.data.push_back({"centre", {cells, 2}, std::move(centres)});
  frame.data.push_back({"entity", {cells}, std::move(owner)});
  frame.facts = {{"variables", setup_.law.variables()},
                 {"degree", std::int64_t{setup_.method.order}},
                 {"half_step", half_step_},
                 {"basis", "X^i Y^j s^k with (i, j, k) from powers"},
                 {"scaling", "X = (x - centre[0]) / length, Y = (y - centre[1]) / length, s = (t - time) / half_step"}};
}

std::optional<std::int64_t> locate(const Staggered& staggered, Point point) {
  for (std::int64_t cell = 0; cell < staggered.cells.count(); ++cell) {
    const auto quads = staggered.cells.quads_of(cell);
    bool inside = true;
    for (std::size_t k = 0; inside && k < quads.size(); ++k) {
      const Point from = staggered.quads[static_cast<std::size_t>(quads[k])].corners[0];
      const Point to = staggered.quads[static_cast<std::size_t>(quads[(k + 1) % quads.size()])].corners[0];
      inside = cross(to - from, point - from) >= -1e-12 * staggered.cells.area[static_cast<std::size_t>(cell)];
    }
    if (inside) return cell;
  }
  return std::nullopt;
}

}  // namespace quoin
