#include "problems/dgcvs/point_values.hpp"

#include <algorithm>

#include "problems/dgcvs/solution.hpp"
#include "quoin/error.hpp"

namespace quoin {

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

bool PointValues::due(std::int64_t step, double before, double time) const {
  return std::ranges::any_of(sets_, [&](const Located& l) { return l.set.due(step, before, time); });
}

void PointValues::write(FieldSink& sink, const DeviceLevel& cells, Queue& queue, std::int64_t step, double before,
                        double time, bool all) const {
  for (const Located& located : sets_)
    if (all || located.set.due(step, before, time))
      write_samples(sink, located.set, {step, {"step", "time"}, {step, time}}, setup_.law.variables(),
                    values(located, cells, queue));
}

std::vector<double> PointValues::values(const Located& located, const DeviceLevel& cells, Queue& queue) const {
  const std::vector<double> coefficients = cells.spatial_coefficients(queue, located.distinct);
  const auto space = static_cast<std::size_t>(dgcvs_space(setup_.method.order));
  std::vector<double> values;
  for (std::size_t k = 0; k < located.cells.size(); ++k) {
    const std::int64_t cell = located.cells[k];
    const auto place =
        static_cast<std::size_t>(std::ranges::lower_bound(located.distinct, cell) - located.distinct.begin());
    const State state = state_at(
        setup_, EntityKind::cells, cell, located.set.points[k],
        setup_.staggered.cells.centre[static_cast<std::size_t>(cell)],
        [&](std::size_t v, std::size_t m) { return coefficients[(v * space + m) * located.distinct.size() + place]; });
    values.insert(values.end(), state.begin(), state.begin() + static_cast<std::ptrdiff_t>(setup_.law.size()));
  }
  return values;
}

}  // namespace quoin
