// The kernels between a grid and a coarser one, against the definition of the catalogue with weights that mean nothing,
// and with those of linear interpolation, where mathematics knows the result.

#include <algorithm>

#include "conformance/launch.hpp"
#include "kernels/jacobi/oracle_stencil.hpp"

namespace quoin::conformance::jacobi {
namespace {

/// Nodes of a grid and of a coarser one along a direction: n + 1 and m + 1 intervals.
struct Direction {
  std::int64_t n, m;

  /// The first node whose distance from coarse node k is less than an interval of that grid, and the end of them.
  [[nodiscard]] std::int64_t first(std::int64_t k) const { return k * (n + 1) / (m + 1); }
  [[nodiscard]] std::int64_t end(std::int64_t k) const { return ((k + 2) * (n + 1) - 1) / (m + 1); }
  [[nodiscard]] std::int64_t most() const {
    std::int64_t most = 1;
    for (std::int64_t k = 0; k < m; ++k) most = std::max(most, end(k) - first(k));
    return most;
  }
  /// The place of node i among the coarse nodes, 0 at the first.
  [[nodiscard]] double place(std::int64_t i) const {
    return static_cast<double>(i + 1) * static_cast<double>(m + 1) / static_cast<double>(n + 1) - 1.0;
  }
};

struct Pair {
  Direction x, y;
  Variation variation;  ///< its grid is the one that is written
  bool rhs_array = true;
};

/// `coarse`: the coarse grids are written.
std::vector<Pair> pairs(bool coarse) {
  constexpr Direction sizes[][2] = {{{1, 1}, {3, 1}},      {{3, 1}, {3, 1}},       {{2, 1}, {4, 1}},
                                    {{7, 3}, {5, 5}},      {{5, 5}, {40, 19}},     {{62, 31}, {127, 63}},
                                    {{130, 65}, {33, 16}}, {{2600, 1299}, {9, 4}}, {{9, 4}, {1300, 650}},
                                    {{301, 150}, {99, 49}}};
  std::vector<Pair> list;
  const auto add = [&](const std::string& what, const Direction& x, const Direction& y, const Box& box, Style style,
                       bool rhs_array = true, bool stopped = false) {
    const std::string name =
        std::to_string(x.n) + "x" + std::to_string(y.n) + " and " + std::to_string(x.m) + "x" + std::to_string(y.m);
    const auto [nx, ny] = coarse ? std::pair{x.m, y.m} : std::pair{x.n, y.n};
    list.push_back({x, y, {{name + what, nx, ny, box, style}, stopped}, rhs_array});
  };
  for (const auto& [x, y] : sizes) {
    const Box box = coarse ? Box::plane(x.m, y.m) : Box::plane(x.n, y.n);
    add("", x, y, box, Style::native);
    add(", odd pitch and offset", x, y, box, Style::odd);
    if (coarse) add(", f constant", x, y, box, Style::native, false);
  }
  const auto with = [&](const std::string& what, const Box& box, bool stopped) {
    add(", " + what, {62, 31}, {127, 63}, box, Style::odd, true, stopped);
  };
  with("a box within", {{3, 5, 0}, {20, 60, 1}, {0, 0, 0}}, false);
  with("stopped", Box::plane(31, 63), true);
  for (const Box& box : empty_boxes()) with("empty box", box, false);
  return list;
}

Box with_ring(std::int64_t nx, std::int64_t ny) { return {{-1, -1, 0}, {nx + 1, ny + 1, 1}, {0, 0, 0}}; }

/// A launch with its tables. The weights are random, and the oracle fills the finer grid.
template <class T>
struct Restriction : DeclaredLaunch<T> {
  Restriction(DeviceUnderTest& bench, const Pair& p)
      : DeclaredLaunch<T>(bench, {"jacobi_restrict", precision_of<T>, {{"rhs_array", p.rhs_array ? 1 : 0}}},
                          p.variation,
                          {{"across_count", p.x.most()},
                           {"down_count", p.y.most()},
                           {"a", a},
                           {"b", b},
                           {"diagonal", diagonal},
                           {"f_constant", f_constant},
                           {"weight", weight}},
                          {{"u", {p.x.n, p.y.n}}, {"f", {p.x.n, p.y.n}}}) {
    const auto fill = [this](Field<std::int64_t>& first, const Direction& d, std::size_t axis) {
      for (std::int64_t k = this->box.lower[axis]; k < this->box.upper[axis]; ++k)
        first[k] = std::min(d.first(k), d.n - d.most());
    };
    fill(this->integers("columns"), p.x, 0);
    fill(this->integers("rows"), p.y, 1);
  }
};

template <class T>
void restrict_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Pair& p : pairs(true)) {
    cases(p.variation.grid.name, [&] {
      Restriction<T> l(bench, p);
      const View<T> u = l.view("u");
      const View<T> f = p.rhs_array ? l.view("f") : View<T>{};
      l.field("u").fill_with_sides(Box::plane(p.x.n, p.y.n), 1);
      if (p.rhs_array) l.field("f").fill(Box::plane(p.x.n, p.y.n), 5);
      l.run([&](const auto&) {
        const View<T> across = l.view("across"), down = l.view("down");
        auto &columns = l.integers("columns"), &rows = l.integers("rows");
        const std::int64_t width = p.x.most(), height = p.y.most();
        every_node(l.box, [&](std::int64_t i, std::int64_t j) {
          T mean = 0;
          for (std::int64_t s = 0; s < width; ++s) {
            T column = 0;
            for (std::int64_t t = 0; t < height; ++t) {
              const std::int64_t x = columns[i] + s;
              const std::int64_t y = rows[j] + t;
              const T rhs = p.rhs_array ? f(x, y) : static_cast<T>(f_constant);
              column = std::fma(down(j, t), rhs - apply(u, x, y), column);
            }
            mean = std::fma(across(i, s), column, mean);
          }
          l.view("coarse_f")(i, j) = mean;
          l.view("coarse_u")(i, j) = static_cast<T>(weight) * mean;
        });
      });
    });
  }
  // Full weighting keeps what is linear: the residual x + 2 y + 3, in node numbers, of u = 0.
  const Pair p{{61, 30}, {37, 18}, {{"manufactured solution 61x37", 30, 18, Box::plane(30, 18), Style::odd}}};
  cases(p.variation.grid.name, [&] {
    Restriction<T> l(bench, p);
    const auto linear = [](std::int64_t x, std::int64_t y) { return static_cast<T>(x + 2 * y + 3); };
    every_node(with_ring(p.x.n, p.y.n), [&, u = l.view("u"), f = l.view("f")](auto x, auto y) {
      u(x, y) = 0;
      f(x, y) = linear(x, y);
    });
    for (std::int64_t s = 0; s < 3; ++s) {
      for (std::int64_t i = 0; i < p.x.m; ++i) l.view("across")(i, s) = s == 1 ? T(0.5) : T(0.25);
      for (std::int64_t j = 0; j < p.y.m; ++j) l.view("down")(j, s) = s == 1 ? T(0.5) : T(0.25);
    }
    l.trial.launch(l.box, l.arguments);
    every_node(l.box, [&](std::int64_t i, std::int64_t j) {
      const auto expected = static_cast<double>(linear(2 * i + 1, 2 * j + 1));
      const double tolerance = 12800.0 * round_off<T>(bench);
      expect_close(node("coarse_f", i, j), static_cast<double>(l.field("coarse_f").seen(i, j)), expected, tolerance);
      expect_close(node("coarse_u", i, j), static_cast<double>(l.field("coarse_u").seen(i, j)), weight * expected,
                   tolerance);
    });
  });
}

/// A launch with its tables, whose coarse grid the oracle fills.
template <class T>
struct Prolongation : DeclaredLaunch<T> {
  Prolongation(DeviceUnderTest& bench, const Pair& p)
      : DeclaredLaunch<T>(bench, {"jacobi_prolong", precision_of<T>, {}}, p.variation, {},
                          {{"coarse_u", {p.x.m, p.y.m}},
                           {"columns", {p.x.n, 1}},
                           {"across", {p.x.n, 1}},
                           {"rows", {p.y.n, 1}},
                           {"down", {p.y.n, 1}}}) {
    const auto fill = [](const Direction& d, Field<std::int64_t>& at, Field<T>& share) {
      for (std::int64_t i = 0; i < d.n; ++i) {
        at[i] = (i + 1) * (d.m + 1) / (d.n + 1) - 1;
        share[i] = static_cast<T>(d.place(i) - static_cast<double>(at[i]));
      }
    };
    fill(p.x, this->integers("columns"), this->field("across"));
    fill(p.y, this->integers("rows"), this->field("down"));
  }
};

template <class T>
void prolong_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Pair& p : pairs(false)) {
    cases(p.variation.grid.name, [&] {
      Prolongation<T> l(bench, p);
      l.field("coarse_u").fill(with_ring(p.x.m, p.y.m), 2);
      l.run([&](const auto&) {
        auto &columns = l.integers("columns"), &rows = l.integers("rows");
        auto &across = l.field("across"), &down = l.field("down");
        every_node(l.box, [&, u = l.view("u"), coarse = l.view("coarse_u")](auto i, auto j) {
          const std::int64_t x = columns[i];
          const std::int64_t y = rows[j];
          const T left = std::fma(down[j], coarse(x, y + 1) - coarse(x, y), coarse(x, y));
          const T right = std::fma(down[j], coarse(x + 1, y + 1) - coarse(x + 1, y), coarse(x + 1, y));
          u(i, j) += std::fma(across[i], right - left, left);
        });
      });
    });
  }
  // Interpolation keeps what is linear along each direction.
  const Pair p{{62, 31}, {37, 18}, {{"manufactured solution 62x37", 62, 37, Box::plane(62, 37), Style::odd}}};
  cases(p.variation.grid.name, [&] {
    Prolongation<T> l(bench, p);
    const auto bilinear = [](double x, double y) { return 1.0 + 2.0 * x - 3.0 * y + 0.5 * x * y; };
    every_node(with_ring(p.x.m, p.y.m), [&, coarse = l.view("coarse_u")](auto x, auto y) {
      coarse(x, y) = static_cast<T>(bilinear(static_cast<double>(x), static_cast<double>(y)));
    });
    every_node(l.box, [u = l.view("u")](auto i, auto j) { u(i, j) = 10; });
    l.trial.launch(l.box, l.arguments);
    every_node(l.box, [&](std::int64_t i, std::int64_t j) {
      const double expected = 10.0 + bilinear(p.x.place(i), p.y.place(j));
      expect_close(node("u", i, j), static_cast<double>(l.field("u").seen(i, j)), expected,
                   25600.0 * round_off<T>(bench));
    });
  });
}

const RegisterOracles transfer_oracles{{"jacobi_restrict", restrict_check<double>, restrict_check<float>},
                                       {"jacobi_prolong", prolong_check<double>, prolong_check<float>}};

}  // namespace

}  // namespace quoin::conformance::jacobi
