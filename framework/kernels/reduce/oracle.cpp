// The pairwise tree, the norm, and the stop rule on the device.

#include <functional>

#include "conformance/launch.hpp"

namespace quoin::conformance::reduce {
namespace {

constexpr std::int64_t iteration = 42;
constexpr double scale = 0.7e-4;
constexpr double divisor = 61.0 * 37.0;

template <class T>
double never(T) {
  return -1.0;
}

template <class T>
struct Situation {
  std::string name;
  std::int64_t n = 1;
  Style style = Style::native;
  std::int64_t slot = 0;
  std::function<double(T norm)> tolerance = never<T>;  ///< from the norm of the first row
  double first = 0.25;                                 ///< the first partial of the first row
  bool others = true;                                  ///< the other partials are not all zero
  std::int64_t stopped_at = 0;
  std::int64_t rows = 1;        ///< each a quarter of the one before
  std::int64_t every = 1;       ///< iterations that the tolerance looks at
  std::int64_t i0 = 0, j0 = 0;  ///< where the box starts
  std::int64_t spoiled = -1;    ///< a row whose first partial is not a number
};

/// norms and control as they must be after the launch.
template <class T>
void apply(Field<T>& norms, Field<std::int64_t>& control, const Situation<T>& s, const std::vector<T>& found,
           T tolerance) {
  if (s.stopped_at != 0) return;
  for (std::int64_t row = s.rows - 1; row >= 0; --row) {
    const T norm = found[static_cast<std::size_t>(row)];
    norms[s.slot + row] = norm;
    if ((norm <= tolerance && (iteration + row) % s.every == 0) || !std::isfinite(norm)) {
      control[0] = iteration + row;
      control[1] = 1;
    }
  }
}

template <class T>
void run(DeviceUnderTest& bench, const Situation<T>& s) {
  const Box box{{s.i0, s.j0, 0}, {s.i0 + s.n, s.j0 + s.rows, 1}, {0, 0, 0}};
  DeclaredLaunch<T> l(
      bench, {"residual_norm", precision_of<T>, {}}, {{s.name, box.upper[0], box.upper[1], box, s.style}},
      {{"slot", s.slot}, {"iteration", iteration}, {"every", s.every}, {"scale", scale}, {"divisor", divisor}});
  const View<T> values = l.view("values");
  std::vector<T> list;
  for (std::int64_t k = 0; k < s.n; ++k) list.push_back(s.others ? std::abs(values(s.i0 + k, s.j0)) : T(0));
  list[0] = static_cast<T>(s.first);
  std::vector<T> found;
  for (std::int64_t row = 0; row < s.rows; ++row) {
    if (row == s.spoiled) list[0] = std::numeric_limits<T>::quiet_NaN();
    for (std::int64_t k = 0; k < s.n; ++k) values(s.i0 + k, s.j0 + row) = list[static_cast<std::size_t>(k)];
    found.push_back(std::sqrt(tree_sum<T>(list) * static_cast<T>(scale)) / static_cast<T>(divisor));
    for (T& value : list) value *= T(0.25);
  }
  l.integers("control")[0] = s.stopped_at;
  l.integers("control")[1] = s.stopped_at == iteration ? 2 : 0;
  const double tolerance = s.tolerance(found.front());
  l.arguments[residual_norm_index::tolerance] = Argument::real(tolerance);
  l.run([&](const auto&) { apply(l.field("norms"), l.integers("control"), s, found, static_cast<T>(tolerance)); });
}

template <class T>
void check(DeviceUnderTest& bench, Cases& cases) {
  std::vector<Situation<T>> list;
  for (const std::int64_t n : {1, 2, 3, 5, 8, 13, 31, 64, 100, 1000, 1024, 4097, 65537}) {
    const std::string name = std::to_string(n) + (n == 1 ? " partial" : " partials");
    list.push_back({name, n});
    list.push_back({name + ", offset of one element, slot 5", n, Style::odd, 5});
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const auto zero = [](T) { return 0.0; };
  const auto above = [](T norm) { return 1.5 * static_cast<double>(norm); };
  const auto below = [](T norm) { return 0.5 * static_cast<double>(norm); };
  const auto third = [](T norm) { return 0.3 * static_cast<double>(norm); };  // each norm is half of the one before
  list.push_back({"tolerance above the norm", 100, Style::native, 2, above});
  list.push_back({"tolerance below the norm", 100, Style::native, 2, below});
  list.push_back({"norm zero, tolerance zero", 100, Style::native, 0, zero, 0.0, false});
  list.push_back({"norm zero, tolerance negative", 100, Style::native, 0, never<T>, 0.0, false});
  list.push_back({"norm infinite", 100, Style::native, 3, never<T>, infinity});
  list.push_back({"norm not a number", 100, Style::native, 3, never<T>, std::nan("")});
  list.push_back({"already stopped", 100, Style::native, 3, above, 0.25, true, 17});
  list.push_back({"stopped by something else in this iteration", 100, Style::native, 3, above, 0.25, true, iteration});
  list.push_back({"8 iterations, none stops", 4097, Style::odd, 7, never<T>, 0.25, true, 0, 8});
  list.push_back({"8 iterations, the third is the first to stop", 1000, Style::odd, 3, third, 0.25, true, 0, 8});
  list.push_back({"8 iterations, the fourth is the first that every third looks at", 1000, Style::native, 1, third,
                  0.25, true, 0, 8, 3});
  list.push_back({"8 iterations, none is finite", 100, Style::native, 1, never<T>, infinity, true, 0, 8, 5});
  list.push_back(
      {"8 iterations, the sixth is not a number", 100, Style::odd, 1, below, 0.25, true, 0, 8, 100, 0, 0, 5});
  list.push_back({"3 iterations, a box within", 1000, Style::odd, 1, third, 0.25, true, 0, 3, 1, 7, 2});
  list.push_back({"8 iterations, already stopped", 100, Style::native, 1, above, 0.25, true, 17, 8});
  if (bench.executor->device().error_bound == 0.0) {
    const auto equal = [](T norm) { return static_cast<double>(norm); };
    const auto just_below = [](T norm) { return static_cast<double>(std::nextafter(norm, T(0))); };
    const auto rounds_up = [](T norm) { return static_cast<double>(norm) * (1.0 - 0x1p-40); };
    list.push_back({"tolerance equal to the norm", 100, Style::native, 1, equal});
    list.push_back({"tolerance just below the norm", 100, Style::native, 1, just_below});
    if (sizeof(T) == 4) list.push_back({"tolerance that rounds to the norm", 100, Style::native, 1, rounds_up});
  }
  for (const Situation<T>& s : list) cases(s.name, [&] { run<T>(bench, s); });

  // Ones add exactly, so the norm is known without an oracle.
  cases("manufactured: 1000 ones", [&] {
    DeclaredLaunch<T> l(bench, {"residual_norm", precision_of<T>, {}}, {{"", 1000, 1, Box::line(1000), Style::odd}},
                        {{"scale", 0.4}, {"divisor", 5.0}, {"tolerance", -1.0}});
    every_node(l.box, [values = l.view("values")](auto i, auto j) { values(i, j) = 1; });
    l.trial.launch(l.box, l.arguments);
    const double bound = std::max(bench.executor->device().error_bound, 4.0 * std::numeric_limits<T>::epsilon());
    expect_close("norms[1]", static_cast<double>(l.field("norms").seen(1, 0)), 4.0, 4.0 * bound);
  });
}

template <class T>
void sum_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Style style : {Style::native, Style::odd}) {
    const std::int64_t first = style == Style::odd ? 5 : 0;
    const std::string where = style == Style::odd ? ", from element 5 into slot 3" : "";
    std::vector<Variation> list;
    for (const std::int64_t n : {1, 2, 3, 7, 8, 31, 64, 100, 1000, 1024, 4097, 65537}) {
      const std::string name = std::to_string(n) + (n == 1 ? " value" : " values") + where;
      list.push_back({{name, first + n, 1, {{first, 0, 0}, {first + n, 1, 1}, {0, 0, 0}}, style}});
    }
    check_formula<T>(
        bench, cases, "sum", list, {{"slot", style == Style::odd ? 3 : 0}}, [](const DeclaredLaunch<T>& l) {
          const std::span<const T> values(&l.field("values")[l.box.lower[0]], static_cast<std::size_t>(l.box.points()));
          l.field("sums")[l.integer("slot")] = tree_sum(values);
        });
  }
}

const RegisterOracles registered{{"residual_norm", check<double>, check<float>},
                                 {"sum", sum_check<double>, sum_check<float>}};

}  // namespace

}  // namespace quoin::conformance::reduce
