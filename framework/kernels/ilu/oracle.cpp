// Entries of incomplete factors and rows of triangular systems, by their definitions.

#include "conformance/launch.hpp"

namespace quoin::conformance::ilu {
namespace {

/// A matrix whose rows have entries on the diagonal and at some distances from it.
struct Banded {
  std::string name;
  std::int64_t rows;
  std::vector<std::int64_t> distances;  ///< ascending, 0 among them

  std::vector<std::int64_t> at{0};
  std::vector<std::int64_t> row{}, column{};

  Banded(std::string named, std::int64_t count, std::vector<std::int64_t> apart)
      : name(std::move(named)), rows(count), distances(std::move(apart)) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (const std::int64_t distance : distances) {
        // Some are missing.
        if (i + distance < 0 || i + distance >= rows || (distance != 0 && (i + 3 * distance) % 5 == 0)) continue;
        row.push_back(i);
        column.push_back(i + distance);
      }
      at.push_back(static_cast<std::int64_t>(column.size()));
    }
  }
  /// Where an entry is; -1 where there is none.
  [[nodiscard]] std::int64_t place(std::int64_t i, std::int64_t j) const {
    for (std::int64_t k = at[static_cast<std::size_t>(i)]; k < at[static_cast<std::size_t>(i) + 1]; ++k)
      if (column[static_cast<std::size_t>(k)] == j) return k;
    return -1;
  }
};

std::vector<Banded> banded_cases() {
  std::vector<std::int64_t> many;
  for (std::int64_t k = -40; k <= 40; ++k) many.push_back(k);
  return {{"one row", 1, {0}},
          {"three diagonals", 40, {-1, 0, 1}},
          {"a grid 9 wide", 90, {-9, -1, 0, 1, 9}},
          {"81 diagonals", 100, many}};
}

template <class T>
void sweep_over_entries(DeviceUnderTest& bench, const Banded& of, const Variation& v) {
  const auto entries = static_cast<std::int64_t>(of.column.size());
  DeclaredLaunch<T> l(bench, {"ilu_sweep", precision_of<T>, {}}, v,
                      {{"rows", static_cast<double>(of.rows)}, {"entries", static_cast<double>(entries)}});
  for (std::size_t i = 0; i < of.at.size(); ++i) l.integers("at")[static_cast<std::int64_t>(i)] = of.at[i];
  for (std::int64_t k = 0; k < entries; ++k)
    l.indices("column")[k] = static_cast<std::int32_t>(of.column[static_cast<std::size_t>(k)]);
  for (std::int64_t k = l.box.lower[0]; k < l.box.upper[0]; ++k)
    l.indices("row")[k] = static_cast<std::int32_t>(of.row[static_cast<std::size_t>(k)]);
  l.run([&](const auto&) {
    for (std::int64_t e = l.box.lower[0]; e < l.box.upper[0]; ++e) {
      const std::int64_t i = of.row[static_cast<std::size_t>(e)], j = of.column[static_cast<std::size_t>(e)];
      T sum = l.field("value")[e];
      for (std::int64_t k = 0; k < std::min(i, j); ++k) {
        const std::int64_t left = of.place(i, k), right = of.place(k, j);
        if (left >= 0 && right >= 0) sum = std::fma(-l.field("known")[left], l.field("known")[right], sum);
      }
      l.field("made")[e] = i > j ? sum / l.field("known")[of.place(j, j)] : sum;
    }
  });
}

template <class T>
void ilu_sweep_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Banded& of : banded_cases()) {
    const auto entries = static_cast<std::int64_t>(of.column.size());
    for (const Style style : {Style::native, Style::odd}) {
      const std::int64_t first = style == Style::odd ? entries / 3 : 0;
      const Box box{{first, 0, 0}, {entries, 1, 1}, {0, 0, 0}};
      const std::string name = of.name + (first > 0 ? ", a part of the entries" : "");
      cases(name, [&] { sweep_over_entries<T>(bench, of, {{name, entries, 1, box, style}}); });
    }
  }
}

/// Rows of a level, the last of the system's: all need only earlier ones.
struct LevelCase {
  std::string name;
  std::vector<std::int64_t> lengths;  ///< entries of the rows in turn
  std::int64_t rows = 1, first = 0;
  bool stopped = false;
};

std::vector<LevelCase> level_cases() {
  return {{"a row without entries", {0}, 1},
          {"lengths 0, 1, 31, 32", {0, 1, 31, 32}, 300, 100},
          {"lengths 33, 64, 65, 7, 1000", {33, 64, 65, 7, 1000}, 90, 50},
          {"stopped", {2, 40}, 90, 50, true}};
}

template <class T>
void solve_level(DeviceUnderTest& bench, const LevelCase& of, const Variation& v) {
  std::vector<std::int64_t> at{0};
  for (std::int64_t i = 0; i < of.rows; ++i)
    at.push_back(at.back() + of.lengths[static_cast<std::size_t>(i) % of.lengths.size()]);
  const std::int64_t segments = at.back() / 32 + of.rows + 1;
  DeclaredLaunch<T> l(bench, {"ilu_level", precision_of<T>, {}}, v,
                      {{"entries", static_cast<double>(at.back())},
                       {"segments", static_cast<double>(segments)},
                       {"rows", static_cast<double>(of.rows)}});
  // The launch's rows come first among all, backwards.
  const std::int64_t count = of.rows - of.first;
  for (std::int64_t i = l.box.lower[0]; i <= l.box.upper[0]; ++i) l.integers("at")[i] = at[static_cast<std::size_t>(i)];
  for (std::int64_t i = l.box.lower[0]; i < l.box.upper[0]; ++i)
    l.indices("row")[i] = static_cast<std::int32_t>(of.rows - 1 - i);
  for (std::int64_t k = 0; k < at.back(); ++k)
    l.indices("column")[k] = static_cast<std::int32_t>(count + (of.first > 0 ? k * 7919 % of.first : 0));
  l.run([&](const auto&) {
    for (std::int64_t i = l.box.lower[0]; i < l.box.upper[0]; ++i) {
      const std::int64_t begin = at[static_cast<std::size_t>(i)], end = at[static_cast<std::size_t>(i) + 1];
      std::vector<T> sums;
      for (std::int64_t k = begin; k < end; k += 32) {
        T sum = 0;
        for (std::int64_t e = k; e < std::min(k + 32, end); ++e)
          sum = std::fma(l.field("value")[e], l.field("z")[l.indices("column")[e]], sum);
        sums.push_back(sum);
      }
      l.field("z")[of.rows - 1 - i] = l.field("r")[of.rows - 1 - i] - tree_sum<T>(sums);
      if (sums.size() < 2) continue;
      use_up(std::span(sums));
      for (std::size_t s = 0; s < sums.size(); ++s)
        l.field("sums")[begin / 32 + i + static_cast<std::int64_t>(s)] = sums[s];
    }
  });
}

template <class T>
void ilu_level_check(DeviceUnderTest& bench, Cases& cases) {
  for (const LevelCase& of : level_cases()) {
    for (const Style style : {Style::native, Style::odd}) {
      const Box box{{of.first, 0, 0}, {of.rows, 1, 1}, {0, 0, 0}};
      const std::string name = of.name + (style == Style::odd ? ", odd offset" : "");
      cases(name, [&] { solve_level<T>(bench, of, {{name, of.rows, 1, box, style}, of.stopped}); });
    }
  }
}

const RegisterOracles registered{{"ilu_sweep", ilu_sweep_check<double>, ilu_sweep_check<float>},
                                 {"ilu_level", ilu_level_check<double>, ilu_level_check<float>}};

}  // namespace
}  // namespace quoin::conformance::ilu
