// Sums of segments and of long rows, entry by entry.

#include "conformance/launch.hpp"

namespace quoin::conformance::sparse {
namespace {

/// Lengths of segments, or of rows in segments, that a launch goes through in turn, and the part of them that it does.
struct Lengths {
  std::string name;
  std::vector<std::int64_t> cycle;
  std::int64_t count = 1;
  std::int64_t first = 0;
  double special = 0.0;  ///< among the values, where it is not zero
};

std::vector<Variation> variations_of(const Lengths& lengths, std::int64_t steps = 1) {
  const Box box{{lengths.first, 0, 0}, {lengths.count, 1, 1}, {0, 0, 0}};
  std::vector<Variation> list;
  for (const Style style : {Style::native, Style::odd})
    list.push_back({{lengths.name + (style == Style::odd ? ", odd offset" : ""), lengths.count,
                     std::max<std::int64_t>(1, steps), box, style}});
  return list;
}

/// Where each of them begins, and their end.
std::vector<std::int64_t> begins_of(const Lengths& lengths) {
  std::vector<std::int64_t> at{0};
  for (std::int64_t k = 0; k < lengths.count; ++k)
    at.push_back(at.back() + lengths.cycle[static_cast<std::size_t>(k) % lengths.cycle.size()]);
  return at;
}

std::vector<Lengths> segment_cases() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{"empty segments", {0}, 5},
          {"one entry", {1}, 1},
          {"rows of five entries", {5}, 1000},
          {"lengths 0, 1, 31 and 32", {0, 1, 31, 32}, 517},
          {"a part of the segments", {3, 0, 27}, 300, 48},
          {"an infinite value", {4}, 9, 0, infinity},
          {"a value that is not a number", {4}, 9, 0, std::nan("")},
          {"products below the smallest number", {2}, 33, 0, -1e-40}};
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
  for (const Lengths& lengths : segment_cases()) {
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
            use_up(sums);
          }
        });
      });
    }
  }
}

/// Slices of a launch. Slice j is stored as slice j % stored is: with fewer stored than there are, some share.
struct SliceCase {
  std::string name;
  std::vector<std::int32_t> kinds;  ///< which slices have in turn
  std::vector<std::int32_t> steps;
  std::int64_t count = 1, first = 0, stored = 1000;
  double special = 0.0;  ///< among x, where it is not zero
};

std::vector<SliceCase> slice_cases() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{"one slice, shifted", {0}, {5}, 1},
          {"no entries", {0, 1, 2}, {0}, 3},
          {"one step", {2, 1, 0}, {1}, 9},
          {"shifted", {0}, {5, 27, 32, 1}, 70},
          {"masked", {1}, {5, 27, 32, 33}, 70},
          {"gathered", {2}, {5, 27, 32, 1}, 70},
          {"all kinds, seven slices stored", {0, 1, 2}, {3, 0, 31, 32, 8}, 100, 0, 7},
          {"a part of the slices", {1, 2, 0}, {4, 9}, 40, 13},
          {"infinite x", {0, 1, 2}, {4}, 12, 0, 1000, infinity},
          {"x that is not a number", {2, 1, 0}, {4}, 12, 0, 1000, std::nan("")},
          {"products below the smallest number", {0, 1, 2}, {2}, 12, 0, 1000, -1e-40}};
}

/// The entries that a lane has in its steps: where its x and its value are, or nothing.
struct SliceEntry {
  std::int64_t column = -1;  ///< behind the first segment of the slice
  std::int64_t value = 0;
};

/// Chooses the entries of the slices that are stored, and writes what a launch reads of them.
template <class T>
class SliceMaker {
 public:
  SliceMaker(const SliceCase& of) : case_(of) {
    std::int64_t values = 0, patterns = 0;
    for (std::int64_t s = 0; s < std::min(of.stored, of.first + of.count); ++s) {
      value_at.push_back(values);
      pattern_at.push_back(patterns);
      values += 32 * steps(s);
      patterns += std::array<std::int64_t, 3>{1, 2, 32}[static_cast<std::size_t>(kind(s))] * steps(s);
    }
    numbers = {{"values", static_cast<double>(values)},
               {"patterns", static_cast<double>(patterns)},
               {"columns", static_cast<double>(columns())}};
  }
  [[nodiscard]] std::int32_t kind(std::int64_t s) const { return of(case_.kinds, s); }
  [[nodiscard]] std::int64_t steps(std::int64_t s) const { return of(case_.steps, s); }
  [[nodiscard]] std::int64_t columns() const { return 32 * (case_.first + case_.count) + 20; }
  [[nodiscard]] std::int64_t stored(std::int64_t slice) const { return slice % case_.stored; }

  [[nodiscard]] SliceEntry entry(std::int64_t s, std::int64_t step, std::int64_t lane) const {
    const std::int64_t chosen = (7 * s + 5 * step + 3) % 20;
    const SliceEntry there{lane + chosen, value_at[static_cast<std::size_t>(s)] + 32 * step + lane};
    if (kind(s) == 0) return there;
    const bool missing = (lane * 2654435761 + step * 40503 + s * 977) % 4 == 0 || (kind(s) == 1 && far(step));
    if (missing) return {};
    return kind(s) == 1 ? there : SliceEntry{(lane * 11 + chosen * 13) % 52, there.value};
  }

  void write(const DeclaredLaunch<T>& l) const {
    for (std::size_t s = 0; s < value_at.size(); ++s) write(l, static_cast<std::int64_t>(s));
    for (std::int64_t slice = case_.first; slice < case_.first + case_.count; ++slice) {
      const std::int64_t s = stored(slice);
      l.integers("value_at")[slice] = value_at[static_cast<std::size_t>(s)];
      l.integers("pattern_at")[slice] = pattern_at[static_cast<std::size_t>(s)];
      l.indices("steps")[slice] = static_cast<std::int32_t>(steps(s));
      l.indices("kind")[slice] = kind(s);
    }
  }

  /// Puts what is special of the case into x, or makes products small.
  void make_special(const DeclaredLaunch<T>& l) const {
    for (std::int64_t k = 0; case_.special != 0.0 && k < columns(); ++k)
      if (case_.special == -1e-40 || k % 5 == 0) l.field("x")[k] = static_cast<T>(case_.special);
    for (std::int64_t k = 0; case_.special == -1e-40 && k < l.integer("values"); ++k)
      l.field("value")[k] *= static_cast<T>(1e-10);
  }

  /// What a lane of a slice comes to.
  [[nodiscard]] T sum(const DeclaredLaunch<T>& l, std::int64_t slice, std::int64_t lane) const {
    const std::int64_t s = stored(slice);
    T sum = 0;
    for (std::int64_t step = 0; step < steps(s); ++step) {
      const SliceEntry e = entry(s, step, lane);
      if (e.column >= 0) sum = std::fma(l.field("value")[e.value], l.field("x")[32 * slice + e.column], sum);
    }
    return sum;
  }

  Numbers numbers;
  std::vector<std::int64_t> value_at, pattern_at;

 private:
  static std::int32_t of(const std::vector<std::int32_t>& cycle, std::int64_t s) {
    return cycle[static_cast<std::size_t>(s) % cycle.size()];
  }
  /// A step of a masked slice that no lane has, and whose columns do not exist.
  static bool far(std::int64_t step) { return step % 8 == 6; }

  void write(const DeclaredLaunch<T>& l, std::int64_t s) const {
    auto& pattern = l.indices("pattern");
    const std::int64_t at = pattern_at[static_cast<std::size_t>(s)];
    for (std::int64_t step = 0; step < steps(s); ++step) {
      std::uint32_t bits = 0;
      std::int64_t apart = -100'000;
      for (std::int64_t lane = 0; lane < 32; ++lane) {
        const SliceEntry e = entry(s, step, lane);
        const bool there = e.column >= 0;
        if (there) bits |= std::uint32_t{1} << lane;
        if (there) apart = e.column - lane;
        if (!there) l.field("value")[value_at[static_cast<std::size_t>(s)] + 32 * step + lane] = T(-0.0);
        if (kind(s) == 2)
          pattern[at + 32 * step + lane] =
              there ? static_cast<std::int32_t>(e.column) : std::numeric_limits<std::int32_t>::min();
      }
      if (kind(s) == 0) pattern[at + step] = static_cast<std::int32_t>(apart);
      if (kind(s) != 1) continue;
      pattern[at + 2 * step] = static_cast<std::int32_t>(apart);
      pattern[at + 2 * step + 1] = static_cast<std::int32_t>(bits);
    }
  }

  const SliceCase& case_;
};

template <class T>
void slices_check(DeviceUnderTest& bench, Cases& cases) {
  for (const SliceCase& of : slice_cases()) {
    for (const Style style : {Style::native, Style::odd}) {
      cases(of.name + (style == Style::odd ? ", odd offset" : ""), [&] {
        const SliceMaker<T> maker(of);
        const Box box{{0, of.first, 0}, {32, of.first + of.count, 1}, {0, 0, 0}};
        DeclaredLaunch<T> l(bench, {"sell_segments", precision_of<T>, {}},
                            {{of.name, 32, of.first + of.count, box, style}}, maker.numbers);
        maker.write(l);
        maker.make_special(l);
        l.run([&](const auto&) {
          for (std::int64_t slice = box.lower[1]; slice < box.upper[1]; ++slice)
            for (std::int64_t lane = 0; lane < 32; ++lane) l.view("sums")(lane, slice) = maker.sum(l, slice, lane);
        });
      });
    }
  }
}

template <class T>
void slice_product_check(DeviceUnderTest& bench, Cases& cases) {
  for (SliceCase of : slice_cases()) {
    of.first = of.first / 16 * 16;  // a block has sixteen slices
    for (const bool stopped : {false, true}) {
      if (stopped && of.count < 100) continue;
      cases(of.name + (stopped ? ", stopped" : ""), [&] {
        const SliceMaker<T> maker(of);
        const std::int64_t end = of.first + of.count;
        const Box box{{0, 2 * of.first, 0}, {16, 2 * end, 1}, {0, 0, 0}};
        DeclaredLaunch<T> l(bench, {"sell_product", precision_of<T>, {}},
                            {{of.name, 16, 2 * end, box, Style::native}, stopped}, maker.numbers);
        maker.write(l);
        maker.make_special(l);
        l.run([&](const auto&) {
          for (std::int64_t slice = of.first; slice < end; ++slice)
            for (std::int64_t lane = 0; lane < 32; ++lane)
              l.view("y")(lane % 16, 2 * slice + lane / 16) = maker.sum(l, slice, lane);
          block_sums<T>([&](auto i, auto j) { return l.view("v")(i, j) * l.view("y")(i, j); }, l.view("partials"),
                        l.box);
        });
      });
    }
  }
}

/// Puts what is special of a case into a value that a launch reads, and into x.
template <class T>
void make_special(const DeclaredLaunch<T>& l, const Lengths& lengths, std::int64_t entry, T& value) {
  if (lengths.special != 0.0 && entry % 3 == 0) value = static_cast<T>(lengths.special);
  if (lengths.special != -1e-40) return;
  for (std::int64_t k = 0; k < l.integer("columns"); ++k) l.field("x")[k] = static_cast<T>(1e-10);
}

std::int64_t column_of(std::int64_t entry, std::int64_t columns) { return (entry * 7919 + entry / 3) % columns; }
constexpr std::int32_t no_column = std::numeric_limits<std::int32_t>::min();

template <class T>
void columns_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Lengths& lengths : segment_cases()) {
    const std::vector<std::int64_t> at = begins_of(lengths);
    const std::int64_t steps = *std::ranges::max_element(lengths.cycle);
    const std::int64_t columns = lengths.count + 7;
    for (const Variation& v : variations_of(lengths, steps)) {
      cases(v.grid.name, [&] {
        DeclaredLaunch<T> l(bench, {"ell_segments", precision_of<T>, {}}, v,
                            {{"steps", static_cast<double>(steps)}, {"columns", static_cast<double>(columns)}});
        const auto entry = [&](std::int64_t s, std::int64_t k) {
          const std::int64_t e = at[static_cast<std::size_t>(s)] + k;
          return e < at[static_cast<std::size_t>(s) + 1] ? e : -1;
        };
        for (std::int64_t s = lengths.first; s < lengths.count; ++s) {
          for (std::int64_t k = 0; k < steps; ++k) {
            const std::int64_t e = entry(s, k);
            l.indices("column").view()(s, k) = e < 0 ? no_column : static_cast<std::int32_t>(column_of(e, columns));
            T& value = l.view("value")(s, k);
            if (e < 0) value = T(-0.0);
            if (e >= 0) make_special(l, lengths, e, value);
          }
        }
        l.run([&](const auto&) {
          for (std::int64_t s = lengths.first; s < lengths.count; ++s) {
            T sum = 0;
            for (std::int64_t k = 0; k < steps && entry(s, k) >= 0; ++k)
              sum = std::fma(l.view("value")(s, k), l.field("x")[column_of(entry(s, k), columns)], sum);
            l.field("sums")[s] = sum;
          }
        });
      });
    }
  }
}

/// Runs of 19 to 50 entries, and some without any.
std::vector<std::int64_t> runs_of(const std::vector<std::int64_t>& segment) {
  std::vector<std::int64_t> runs{0};
  const auto entries = static_cast<std::int64_t>(segment.size());
  for (std::int64_t k = 1; k < entries; ++k) {
    const bool begins = segment[static_cast<std::size_t>(k)] != segment[static_cast<std::size_t>(k) - 1];
    if (begins && k - runs.back() > 18) runs.insert(runs.end(), runs.size() % 5 == 0 ? 2 : 1, k);
  }
  runs.push_back(entries);
  return runs;
}

template <class T>
void runs_check(DeviceUnderTest& bench, Cases& cases, const Lengths& lengths, bool continued) {
  const std::vector<std::int64_t> at = begins_of(lengths);
  const std::int64_t columns = lengths.count + 7;
  std::vector<std::int64_t> segment;  // of each entry; those without any have one that adds nothing, if they are begun
  std::vector<bool> adds;
  for (std::int64_t s = 0; s < lengths.count; ++s) {
    const std::int64_t count = at[static_cast<std::size_t>(s) + 1] - at[static_cast<std::size_t>(s)];
    const std::int64_t listed = std::max<std::int64_t>(count, continued ? 0 : 1);
    segment.insert(segment.end(), static_cast<std::size_t>(listed), s);
    adds.insert(adds.end(), static_cast<std::size_t>(listed), count > 0);
  }
  const std::vector<std::int64_t> runs = runs_of(segment);
  const auto count = static_cast<std::int64_t>(runs.size()) - 1;
  const Lengths launch{lengths.name + (continued ? ", continued" : ""), {}, count, lengths.first > 0 ? count / 3 : 0};
  for (const Variation& v : variations_of(launch)) {
    cases(v.grid.name, [&] {
      DeclaredLaunch<T> l(bench, {"coo_segments", precision_of<T>, {}}, v,
                          {{"continued", continued ? 1.0 : 0.0},
                           {"entries", static_cast<double>(segment.size())},
                           {"columns", static_cast<double>(columns)},
                           {"segments", static_cast<double>(lengths.count)}});
      for (std::size_t r = 0; r < runs.size(); ++r) l.integers("at")[static_cast<std::int64_t>(r)] = runs[r];
      for (std::size_t e = 0; e < segment.size(); ++e) {
        const auto entry = static_cast<std::int64_t>(e);
        l.indices("segment")[entry] = static_cast<std::int32_t>(segment[e]);
        l.indices("column")[entry] = adds[e] ? static_cast<std::int32_t>(column_of(entry, columns)) : no_column;
        if (!adds[e]) l.field("value")[entry] = T(-0.0);
        if (adds[e]) make_special(l, lengths, entry, l.field("value")[entry]);
      }
      l.run([&](const auto&) {
        for (auto e = static_cast<std::size_t>(runs[static_cast<std::size_t>(launch.first)]); e < segment.size(); ++e) {
          const auto entry = static_cast<std::int64_t>(e);
          T& sum = l.field("sums")[segment[e]];
          if (!continued && (e == 0 || segment[e] != segment[e - 1])) sum = 0;
          if (adds[e]) sum = std::fma(l.field("value")[entry], l.field("x")[column_of(entry, columns)], sum);
        }
      });
    });
  }
}

template <class T>
void entries_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Lengths& lengths : segment_cases())
    for (const bool continued : {false, true}) runs_check<T>(bench, cases, lengths, continued);
}

const RegisterOracles registered{{"csr_segments", segments_check<double>, segments_check<float>},
                                 {"sell_segments", slices_check<double>, slices_check<float>},
                                 {"sell_product", slice_product_check<double>, slice_product_check<float>},
                                 {"ell_segments", columns_check<double>, columns_check<float>},
                                 {"coo_segments", entries_check<double>, entries_check<float>},
                                 {"row_join", join_check<double>, join_check<float>}};

}  // namespace
}  // namespace quoin::conformance::sparse
