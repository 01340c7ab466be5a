// Sums of segments and of long rows, entry by entry.

#include "conformance/launch.hpp"

namespace quoin::conformance {
namespace {

/// Lengths of segments, or of rows in segments, that a launch goes through in turn, and the part of them that it does.
struct Lengths {
  std::string name;
  std::vector<std::int64_t> cycle;
  std::int64_t count = 1;
  std::int64_t first = 0;
  double special = 0.0;  ///< among the values, where it is not zero
};

std::vector<Variation> variations_of(const Lengths& lengths) {
  const Box box{{lengths.first, 0, 0}, {lengths.count, 1, 1}, {0, 0, 0}};
  std::vector<Variation> list;
  for (const Style style : {Style::native, Style::odd})
    list.push_back({{lengths.name + (style == Style::odd ? ", odd offset" : ""), lengths.count, 1, box, style}});
  return list;
}

/// Where each of them begins, and their end.
std::vector<std::int64_t> begins_of(const Lengths& lengths) {
  std::vector<std::int64_t> at{0};
  for (std::int64_t k = 0; k < lengths.count; ++k)
    at.push_back(at.back() + lengths.cycle[static_cast<std::size_t>(k) % lengths.cycle.size()]);
  return at;
}

/// The sums of a launch's segments, and how far they may be from those of long double.
template <class T>
void sum_segments(const DeclaredLaunch<T>& l, bool finite) {
  for (std::int64_t s = l.box.lower[0]; s < l.box.upper[0]; ++s) {
    T sum = 0;
    long double exact = 0.0L;
    long double size = 0.0L;
    for (std::int64_t k = l.integers("at")[s]; k < l.integers("at")[s + 1]; ++k) {
      const T value = l.field("value")[k];
      const T x = l.field("x")[l.indices("column")[k]];
      sum = std::fma(value, x, sum);
      exact += static_cast<long double>(value) * static_cast<long double>(x);
      size += std::abs(static_cast<long double>(value) * static_cast<long double>(x));
    }
    l.field("sums")[s] = sum;
    const double bound = 33.0 * static_cast<double>(size) * std::numeric_limits<T>::epsilon();
    if (finite) expect_close(node("sums", s, 0), static_cast<double>(sum), static_cast<double>(exact), bound);
  }
}

template <class T>
void segments_check(DeviceUnderTest& bench, Cases& cases) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Lengths> all{{"empty segments", {0}, 5},
                                 {"one entry", {1}, 1},
                                 {"rows of five entries", {5}, 1000},
                                 {"lengths 0, 1, 31 and 32", {0, 1, 31, 32}, 517},
                                 {"a part of the segments", {3, 0, 27}, 300, 48},
                                 {"an infinite value", {4}, 9, 0, infinity},
                                 {"a value that is not a number", {4}, 9, 0, std::nan("")},
                                 {"products below the smallest number", {2}, 33, 0, -1e-40}};
  for (const Lengths& lengths : all) {
    const std::vector<std::int64_t> at = begins_of(lengths);
    const std::int64_t columns = lengths.count + 7;
    for (const Variation& v : variations_of(lengths)) {
      cases(v.grid.name, [&] {
        DeclaredLaunch<T> l(bench, {"csr_segments", precision_of<T>, {}}, v,
                            {{"entries", static_cast<double>(at.back())}, {"columns", static_cast<double>(columns)}});
        for (std::size_t s = 0; s < at.size(); ++s) l.integers("at")[static_cast<std::int64_t>(s)] = at[s];
        for (std::int64_t k = 0; k < at.back(); ++k) {
          l.indices("column")[k] = static_cast<std::int32_t>((k * 7919 + k / 3) % columns);
          if (lengths.special != 0.0 && k % 3 == 0) l.field("value")[k] = static_cast<T>(lengths.special);
        }
        if (lengths.special == -1e-40)
          for (std::int64_t k = 0; k < columns; ++k) l.field("x")[k] = static_cast<T>(1e-10);
        l.run([&](const auto&) { sum_segments(l, std::isfinite(lengths.special)); });
      });
    }
  }
}

template <class T>
void join_check(DeviceUnderTest& bench, Cases& cases) {
  const std::vector<Lengths> all{{"one row of two segments", {2}, 1},
                                 {"rows of 1, 2, 3, 7, 8 and 33 segments", {1, 2, 3, 7, 8, 33}, 100},
                                 {"a row of 31250 segments", {31250}, 1},
                                 {"a part of the rows", {5, 2}, 90, 13}};
  for (const Lengths& lengths : all) {
    const std::vector<std::int64_t> at = begins_of(lengths);
    for (const Variation& v : variations_of(lengths)) {
      cases(v.grid.name, [&] {
        const std::int64_t rows = 3 * lengths.count;
        DeclaredLaunch<T> l(bench, {"row_join", precision_of<T>, {}}, v,
                            {{"segments", static_cast<double>(at.back())}, {"rows", static_cast<double>(rows)}});
        for (std::size_t k = 0; k < at.size(); ++k) l.integers("at")[static_cast<std::int64_t>(k)] = at[k];
        for (std::int64_t k = 0; k < lengths.count; ++k)
          l.indices("row")[k] = static_cast<std::int32_t>(rows - 1 - 3 * k);
        l.run([&](const auto&) {
          for (std::int64_t k = l.box.lower[0]; k < l.box.upper[0]; ++k) {
            const auto first = at[static_cast<std::size_t>(k)];
            const auto count = static_cast<std::size_t>(at[static_cast<std::size_t>(k) + 1] - first);
            const std::span sums(&l.field("sums")[first], count);
            l.field("y")[l.indices("row")[k]] = tree_sum<T>(sums);
            // Each holds what the aligned group that begins there has come to.
            for (std::size_t width = 1; width < count; width *= 2)
              for (std::size_t s = 0; s < count; s += 2 * width) sums[s] += s + width < count ? sums[s + width] : T(0);
          }
        });
      });
    }
  }
}

const RegisterOracles registered{{"csr_segments", segments_check<double>, segments_check<float>},
                                 {"row_join", join_check<double>, join_check<float>}};

}  // namespace
}  // namespace quoin::conformance
