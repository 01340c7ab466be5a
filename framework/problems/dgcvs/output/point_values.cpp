#include "problems/dgcvs/output/point_values.hpp"

#include <algorithm>

#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// The cell that holds the point, the one with the smallest number where several do; empty outside the mesh.
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

}  // namespace

PointValues::PointValues(const DgSetup& setup) : setup_(setup) {
  for (SampleSet& set : sample_sets(setup.the_case(), RunsBy::time)) {
    Located& located = sets_.emplace_back(Located{std::move(set), {}, {}});
    for (std::size_t k = 0; k < located.set.points.size(); ++k) {
      const Point& point = located.set.points[k];
      const std::optional<std::int64_t> cell = locate(setup.staggered, point);
      if (!cell)
        throw setup.the_case().error_at(located.set.key(k), "the point " + describe(point) + " lies outside the mesh");
      located.cells.push_back(*cell);
    }
    located.distinct = located.cells;
    std::ranges::sort(located.distinct);
    located.distinct.erase(std::unique(located.distinct.begin(), located.distinct.end()), located.distinct.end());
  }
}

void PointValues::write(FieldSink& sink, const TimeLoop& loop) const {
  const DgState& state = loop.state();
  const bool all = state.steps == loop.last_step();
  for (const Located& located : sets_)
    if (all || located.set.due(state.steps, state.time_before(), state.time()))
      write_samples(sink, located.set, {state.steps, {"step", "time"}, {state.steps, state.time()}},
                    setup_.law.outputs(), values(located, loop));
}

std::vector<double> PointValues::values(const Located& located, const TimeLoop& loop) const {
  const std::vector<double> coefficients = loop.spatial_coefficients(located.distinct);
  const auto space = static_cast<std::size_t>(dgcvs_space(setup_.method.order));
  const Bed bed = setup_.bed();
  std::vector<double> values;
  for (std::size_t k = 0; k < located.cells.size(); ++k) {
    const std::int64_t cell = located.cells[k];
    const auto place =
        static_cast<std::size_t>(std::ranges::lower_bound(located.distinct, cell) - located.distinct.begin());
    const Point point = located.set.points[k];
    const auto row = [&](std::size_t n) { return coefficients[n * located.distinct.size() + place]; };
    const PolynomialInSpace polynomial(
        setup_, EntityKind::cells, cell, setup_.staggered.cells.centre[static_cast<std::size_t>(cell)],
        [&](std::size_t v, std::size_t m) { return row(v * space + m); },
        setup_.law.has_bed() ? row(setup_.law.size() * space) : 0.0);
    const Outputs own = setup_.law.output(setup_.over_bed(polynomial.at(point), bed, point));
    values.insert(values.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(setup_.law.outputs().size()));
  }
  return values;
}

}  // namespace quoin
