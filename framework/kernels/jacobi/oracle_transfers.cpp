// The kernels between a grid and a coarser one, against the definition of the catalogue with weights that mean nothing,
// and with those of linear interpolation, where mathematics knows the result.

#include <algorithm>

#include "kernels/jacobi/oracle_stencil.hpp"

namespace quoin::conformance {
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
  std::string name;
  Direction x, y;
  Box box;  ///< of the grid that is written
  Style style = Style::native;
  bool rhs_array = true;
  bool stopped = false;
};

/// `coarse`: the boxes are those of the coarse grids.
std::vector<Pair> pairs(bool coarse) {
  constexpr Direction sizes[][2] = {{{1, 1}, {3, 1}},      {{3, 1}, {3, 1}},       {{2, 1}, {4, 1}},
                                    {{7, 3}, {5, 5}},      {{5, 5}, {40, 19}},     {{62, 31}, {127, 63}},
                                    {{130, 65}, {33, 16}}, {{2600, 1299}, {9, 4}}, {{9, 4}, {1300, 650}},
                                    {{301, 150}, {99, 49}}};
  std::vector<Pair> list;
  for (const auto& [x, y] : sizes) {
    const std::string name =
        std::to_string(x.n) + "x" + std::to_string(y.n) + " and " + std::to_string(x.m) + "x" + std::to_string(y.m);
    const Box box = coarse ? Box::plane(x.m, y.m) : Box::plane(x.n, y.n);
    list.push_back({name, x, y, box});
    list.push_back({name + ", odd pitch and offset", x, y, box, Style::odd});
    if (coarse) list.push_back({name + ", f constant", x, y, box, Style::native, false});
  }
  const auto with = [&](const std::string& what, const Box& box, bool stopped) {
    list.push_back({"62x127 and 31x63, " + what, {62, 31}, {127, 63}, box, Style::odd, true, stopped});
  };
  with("a box within", {{3, 5, 0}, {20, 60, 1}, {0, 0, 0}}, false);
  with("stopped", Box::plane(31, 63), true);
  for (const Box& box : empty_boxes()) with("empty box", box, false);
  return list;
}

/// What both kernels take.
template <class T>
struct Grids {
  Grids(DeviceUnderTest& bench, KernelSpec spec, const Pair& pair)
      : p(pair),
        trial(bench, std::move(spec)),
        u(trial.field<T>("u", place_grid<T>(*bench.executor, p.x.n, p.y.n, p.style))),
        coarse_u(trial.field<T>("coarse_u", place_grid<T>(*bench.executor, p.x.m, p.y.m, p.style))),
        control(trial.field<std::int64_t>("control", place_array(2, p.style))) {
    control[0] = p.stopped ? 7 : 0;
    control[1] = 0;
  }
  Field<std::int64_t>& indices(const char* name, std::int64_t count) {
    return trial.template field<std::int64_t>(name, place_array(count, p.style));
  }
  Field<T>& weights(const char* name, std::int64_t count, std::int64_t rows) {
    return trial.template field<T>(name, place_entities(count, rows, p.style));
  }
  template <class Oracle>
  void check(std::vector<Argument> arguments, Oracle&& oracle) {
    trial.launch(p.box, std::move(arguments));
    if (!p.stopped) every_node(p.box, oracle);
    trial.compare();
  }

  const Pair& p;
  Trial trial;
  Field<T>& u;
  Field<T>& coarse_u;
  Field<std::int64_t>& control;
};

template <class T>
struct Restriction : Grids<T> {
  Restriction(DeviceUnderTest& bench, const Pair& pair)
      : Grids<T>(bench, {"jacobi_restrict", precision_of<T>, {{"rhs_array", pair.rhs_array ? 1 : 0}}}, pair),
        f(this->trial.template field<T>("f", place_grid<T>(*bench.executor, pair.x.n, pair.y.n, pair.style))),
        coarse_f(
            this->trial.template field<T>("coarse_f", place_grid<T>(*bench.executor, pair.x.m, pair.y.m, pair.style))),
        columns(this->indices("columns", pair.x.m)),
        across(this->weights("across", pair.x.m, pair.x.most())),
        rows(this->indices("rows", pair.y.m)),
        down(this->weights("down", pair.y.m, pair.y.most())) {
    const auto first = [](const Direction& d, std::int64_t k) { return std::min(d.first(k), d.n - d.most()); };
    for (std::int64_t i = 0; i < pair.x.m; ++i) columns[i] = first(pair.x, i);
    for (std::int64_t j = 0; j < pair.y.m; ++j) rows[j] = first(pair.y, j);
  }
  std::vector<Argument> arguments() {
    return {this->u.argument(),
            this->p.rhs_array ? f.argument() : Argument::absent(),
            this->coarse_u.argument(),
            coarse_f.argument(),
            columns.argument(),
            across.argument(),
            rows.argument(),
            down.argument(),
            Argument::integer(this->p.x.most()),
            Argument::integer(this->p.y.most()),
            Argument::real(a),
            Argument::real(b),
            Argument::real(diagonal),
            Argument::real(f_constant),
            Argument::real(weight),
            this->control.argument()};
  }
  Field<T>&f, &coarse_f;
  Field<std::int64_t>& columns;
  Field<T>& across;
  Field<std::int64_t>& rows;
  Field<T>& down;
};

template <class T>
void restrict_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Pair& p : pairs(true)) {
    cases(p.name, [&] {
      Restriction<T> g(bench, p);
      g.u.fill_with_sides(Box::plane(p.x.n, p.y.n), 1);
      g.f.fill(Box::plane(p.x.n, p.y.n), 5);
      g.across.fill(0, p.x.m, 0, p.x.most(), 6);
      g.down.fill(0, p.y.m, 0, p.y.most(), 7);
      g.check(g.arguments(), [&](std::int64_t i, std::int64_t j) {
        T mean = 0;
        for (std::int64_t s = 0; s < p.x.most(); ++s) {
          T column = 0;
          for (std::int64_t t = 0; t < p.y.most(); ++t) {
            const std::int64_t x = g.columns[i] + s;
            const std::int64_t y = g.rows[j] + t;
            const T rhs = p.rhs_array ? g.f.view()(x, y) : static_cast<T>(f_constant);
            column = std::fma(g.down.view()(j, t), rhs - apply(g.u.view(), x, y), column);
          }
          mean = std::fma(g.across.view()(i, s), column, mean);
        }
        g.coarse_f.view()(i, j) = mean;
        g.coarse_u.view()(i, j) = static_cast<T>(weight) * mean;
      });
    });
  }
  // Full weighting keeps what is linear: the residual x + 2 y + 3, in node numbers, of u = 0.
  const Pair p{"manufactured solution 61x37", {61, 30}, {37, 18}, Box::plane(30, 18), Style::odd};
  cases(p.name, [&] {
    Restriction<T> g(bench, p);
    const auto linear = [](std::int64_t x, std::int64_t y) { return static_cast<T>(x + 2 * y + 3); };
    for (std::int64_t y = -1; y <= p.y.n; ++y) {
      for (std::int64_t x = -1; x <= p.x.n; ++x) {
        g.u.view()(x, y) = 0;
        g.f.view()(x, y) = linear(x, y);
      }
    }
    for (std::int64_t s = 0; s < 3; ++s) {
      for (std::int64_t i = 0; i < p.x.m; ++i) g.across.view()(i, s) = s == 1 ? T(0.5) : T(0.25);
      for (std::int64_t j = 0; j < p.y.m; ++j) g.down.view()(j, s) = s == 1 ? T(0.5) : T(0.25);
    }
    g.trial.launch(p.box, g.arguments());
    every_node(p.box, [&](std::int64_t i, std::int64_t j) {
      const auto expected = static_cast<double>(linear(2 * i + 1, 2 * j + 1));
      const double tolerance = 12800.0 * round_off<T>(bench);
      expect_close(node("coarse_f", i, j), static_cast<double>(g.coarse_f.seen(i, j)), expected, tolerance);
      expect_close(node("coarse_u", i, j), static_cast<double>(g.coarse_u.seen(i, j)), weight * expected, tolerance);
    });
  });
}

template <class T>
struct Prolongation : Grids<T> {
  Prolongation(DeviceUnderTest& bench, const Pair& pair)
      : Grids<T>(bench, {"jacobi_prolong", precision_of<T>, {}}, pair),
        columns(this->indices("columns", pair.x.n)),
        across(this->weights("across", pair.x.n, 1)),
        rows(this->indices("rows", pair.y.n)),
        down(this->weights("down", pair.y.n, 1)) {
    const auto fill = [](const Direction& d, Field<std::int64_t>& at, Field<T>& share) {
      for (std::int64_t i = 0; i < d.n; ++i) {
        at[i] = (i + 1) * (d.m + 1) / (d.n + 1) - 1;
        share[i] = static_cast<T>(d.place(i) - static_cast<double>(at[i]));
      }
    };
    fill(pair.x, columns, across);
    fill(pair.y, rows, down);
  }
  std::vector<Argument> arguments() {
    return {this->u.argument(), this->coarse_u.argument(), columns.argument(),      across.argument(),
            rows.argument(),    down.argument(),           this->control.argument()};
  }
  Field<std::int64_t>& columns;
  Field<T>& across;
  Field<std::int64_t>& rows;
  Field<T>& down;
};

template <class T>
void prolong_check(DeviceUnderTest& bench, Cases& cases) {
  for (const Pair& p : pairs(false)) {
    cases(p.name, [&] {
      Prolongation<T> g(bench, p);
      g.u.fill(Box::plane(p.x.n, p.y.n), 1);
      g.coarse_u.fill(-1, p.x.m + 1, -1, p.y.m + 1, 2);
      g.check(g.arguments(), [&](std::int64_t i, std::int64_t j) {
        const View<T> coarse = g.coarse_u.view();
        const std::int64_t x = g.columns[i];
        const std::int64_t y = g.rows[j];
        const T left = std::fma(g.down[j], coarse(x, y + 1) - coarse(x, y), coarse(x, y));
        const T right = std::fma(g.down[j], coarse(x + 1, y + 1) - coarse(x + 1, y), coarse(x + 1, y));
        g.u.view()(i, j) += std::fma(g.across[i], right - left, left);
      });
    });
  }
  // Interpolation keeps what is linear along each direction.
  const Pair p{"manufactured solution 62x37", {62, 31}, {37, 18}, Box::plane(62, 37), Style::odd};
  cases(p.name, [&] {
    Prolongation<T> g(bench, p);
    const auto bilinear = [](double x, double y) { return 1.0 + 2.0 * x - 3.0 * y + 0.5 * x * y; };
    for (std::int64_t y = -1; y <= p.y.m; ++y)
      for (std::int64_t x = -1; x <= p.x.m; ++x)
        g.coarse_u.view()(x, y) = static_cast<T>(bilinear(static_cast<double>(x), static_cast<double>(y)));
    every_node(p.box, [&](std::int64_t i, std::int64_t j) { g.u.view()(i, j) = 10; });
    g.trial.launch(p.box, g.arguments());
    every_node(p.box, [&](std::int64_t i, std::int64_t j) {
      const double expected = 10.0 + bilinear(p.x.place(i), p.y.place(j));
      expect_close(node("u", i, j), static_cast<double>(g.u.seen(i, j)), expected, 25600.0 * round_off<T>(bench));
    });
  });
}

const RegisterOracles registered{{"jacobi_restrict", restrict_check<double>, restrict_check<float>},
                                 {"jacobi_prolong", prolong_check<double>, prolong_check<float>}};

}  // namespace

}  // namespace quoin::conformance
