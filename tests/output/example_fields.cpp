// example_fields FOLDER ORDER|many: two frames of fields on two triangles and two bent-looking quadrilaterals with
// straight sides. The fields: x, y, and f, a polynomial of degree ORDER in x and y plus the number of the cell. `many`:
// one frame of these cells again and again, compressed in several batches.

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "output/field_files.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using Corners = std::vector<Point>;

/// The place of a node of the reference cell in the cell with these corners.
Point place(const Corners& c, Point at) {
  std::vector<double> weights{1 - at.x - at.y, at.x, at.y};
  if (c.size() == 4) weights = {(1 - at.x) * (1 - at.y), at.x * (1 - at.y), at.x * at.y, (1 - at.x) * at.y};
  Point sum;
  for (std::size_t k = 0; k < c.size(); ++k) {
    sum.x += weights[k] * c[k].x;
    sum.y += weights[k] * c[k].y;
  }
  return sum;
}

ElementFields frame(int order, std::int64_t step) {
  const std::vector<Corners> cells{{{0, 0}, {1, 0.1}, {0.2, 0.9}},
                                   {{1, 0.1}, {1.1, 1.2}, {0.2, 0.9}},
                                   {{1, 0.1}, {2.3, 0}, {2, 1}, {1.1, 1.2}},
                                   {{0.2, 0.9}, {1.1, 1.2}, {1, 2}, {0, 2.2}}};
  ElementFields made{.level = "cells", .step = step, .time = 0.1 * static_cast<double>(step), .order = order};
  made.fields = {{"f", {}}, {"x", {}}, {"y", {}}};
  for (std::size_t c = 0; c < cells.size(); ++c) {
    made.shapes.push_back(cells[c].size() == 3 ? CellShape::triangle : CellShape::quadrilateral);
    for (const Point& node : lagrange_nodes(made.shapes.back(), order)) {
      const Point at = place(cells[c], node);
      made.nodes.push_back(at);
      made.fields[0].values.push_back(static_cast<double>(c) + std::pow(at.x + 0.5 * at.y, order) + at.x - at.y);
      made.fields[1].values.push_back(at.x);
      made.fields[2].values.push_back(at.y);
    }
  }
  made.data.push_back({"coefficients", {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6}});
  made.data.push_back({"mesh/faces", {4}, std::vector<std::int64_t>{1, -2, 3, std::int64_t{1} << 40}});
  made.facts = {{"variables", std::vector<std::string>{"f", "x", "\u00fc"}},
                {"degree", std::int64_t{7}},
                {"half_step", 0.25},
                {"basis", "X^i"}};
  return made;
}

ElementFields many() {
  const ElementFields once = frame(/*order=*/2, 0);
  ElementFields made = once;
  for (int times = 1; times < 12'000; ++times) {
    made.shapes.insert(made.shapes.end(), once.shapes.begin(), once.shapes.end());
    made.nodes.insert(made.nodes.end(), once.nodes.begin(), once.nodes.end());
    for (std::size_t f = 0; f < once.fields.size(); ++f)
      for (const double value : once.fields[f].values) made.fields[f].values.push_back(value + times);
  }
  return made;
}

}  // namespace
}  // namespace quoin

int main(int count, char** arguments) try {
  if (count != 3) return 2;
  quoin::ResultFolder folder(arguments[1], false);
  quoin::FieldFiles files(folder, true);
  if (std::string(arguments[2]) == "many") {
    files.elements(quoin::many());
  } else {
    for (const std::int64_t step : {0, 20}) {
      files.begin_frame(step);
      files.elements(quoin::frame(std::atoi(arguments[2]), step));
    }
  }
  files.close();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
