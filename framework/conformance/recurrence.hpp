#pragma once

// For the oracles of recurrences: vectors as solvers have them, and the numbers that kernels make of lists of partials.

#include "conformance/launch.hpp"

namespace quoin::conformance {

/// Vectors 16 wide and as lines, besides planes of any size; with one that is stopped where the kernel can be.
inline std::vector<Variation> vector_variations(bool stops) {
  std::vector<Variation> list = grid_variations();
  list.push_back({{"1000 elements in a line", 1000, 1, Box::line(1000), Style::odd}});
  for (const std::int64_t rows : {1, 31, 32, 33, 64, 1000, 1056})
    list.push_back({{std::to_string(16 * rows) + " elements", 16, rows, Box::plane(16, rows), Style::native}});
  if (!stops) return list;
  list.push_back(list.back());
  list.back().grid.name += ", stopped";
  list.back().stopped = true;
  return list;
}

struct Recurrence {
  std::string name;
  std::int64_t partials = 1, systems = 1;
  Style style = Style::native;
  double first = 2.0;                           ///< the first partial of each system: the others are small
  std::int64_t stopped_at = 0, stopped_by = 1;  ///< control
};

inline std::vector<Recurrence> recurrences() {
  std::vector<Recurrence> list;
  for (const std::int64_t n : {1, 2, 5, 64, 1000, 4097}) {
    list.push_back({std::to_string(n) + " partials", n});
    list.push_back({std::to_string(n) + " partials of 3 systems, offset of one element", n, 3, Style::odd});
  }
  list.push_back({"negative", 100, 1, Style::native, -3.0});
  list.push_back({"zero", 1, 1, Style::native, 0.0});
  list.push_back({"infinite", 100, 1, Style::native, std::numeric_limits<double>::infinity()});
  list.push_back({"not a number", 100, 2, Style::native, std::nan("")});
  list.push_back({"stopped by iteration 17", 100, 1, Style::native, 2.0, 17});
  return list;
}

/// Calls apply(launch, system, sum) for each system of a launch that has not been stopped.
template <class T, class Apply>
void check_recurrence(DeviceUnderTest& bench, Cases& cases, const char* kernel, const std::vector<Recurrence>& list,
                      const Numbers& numbers, Apply&& apply) {
  for (const Recurrence& s : list) {
    cases(s.name, [&] {
      const Box box = Box::plane(s.partials, s.systems);
      DeclaredLaunch<T> l(bench, {kernel, precision_of<T>, {}}, {{s.name, s.partials, s.systems, box, s.style}},
                          numbers);
      const View<T> values = l.view("values");
      every_node(box, [&](auto i, auto j) { values(i, j) *= T(1e-4); });
      for (std::int64_t j = 0; j < s.systems; ++j) values(0, j) = static_cast<T>(s.first);
      l.integers("control")[0] = s.stopped_at;
      l.integers("control")[1] = s.stopped_at == 0 ? 0 : s.stopped_by;
      l.run([&](const auto&) {
        if (s.stopped_at != 0) return;
        for (std::int64_t j = 0; j < s.systems; ++j) {
          std::vector<T> partials;
          for (std::int64_t i = 0; i < s.partials; ++i) partials.push_back(values(i, j));
          apply(l, j, tree_sum<T>(partials));
        }
      });
    });
  }
}

}  // namespace quoin::conformance
