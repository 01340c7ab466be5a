// The Jacobi kernels against the oracles, and on polynomials and constants whose result is known
// without any oracle.

#include "conformance/passes.hpp"
#include "kernels/jacobi/oracle_stencil.hpp"

namespace quoin::conformance::jacobi {
namespace {

/// The variations that every Jacobi kernel goes through.
template <class T>
std::vector<Variation> variations() {
  std::vector<Variation> list = grid_variations();
  const auto with = [&](const std::string& what, Variation v) {
    v.grid.name += ", " + what;
    list.push_back(v);
  };
  const GridCase& block = grid_case("17x33");
  const GridCase& large = grid_case("700x120");
  with("stopped", {block, true});
  with("stopped", {large, true});
  with("repeated", {large, false, true});
  with("subnormal", {block, false, false, 4.0 * std::numeric_limits<T>::min()});
  return list;
}

/// u = 1 + 2x - 3y + x^2 + 2xy + 3y^2 for unit spacing, so -(u_xx / hx^2 + u_yy / hy^2) = -(2a + 6b).
template <class T>
T polynomial(std::int64_t i, std::int64_t j) {
  const auto x = static_cast<double>(i);
  const auto y = static_cast<double>(j);
  return static_cast<T>(1.0 + 2.0 * x - 3.0 * y + x * x + 2.0 * x * y + 3.0 * y * y);
}
constexpr double polynomial_image = -(2.0 * a + 6.0 * b);

constexpr std::int64_t polynomial_nx = 61, polynomial_ny = 37;
const Variation manufactured{{"manufactured solution 61x37", polynomial_nx, polynomial_ny,
                              Box::plane(polynomial_nx, polynomial_ny), Style::odd}};

template <class T>
void fill_polynomial(const View<T>& u) {
  every_node({{-1, -1, 0}, {polynomial_nx + 1, polynomial_ny + 1, 1}, {}},
             [&](auto i, auto j) { u(i, j) = polynomial<T>(i, j); });
}

/// Round-off of the operator on the polynomial.
template <class T>
double tolerance_of(const DeviceUnderTest& bench) {
  return 8.0 * round_off<T>(bench) * diagonal * static_cast<double>(polynomial<T>(polynomial_nx, polynomial_ny));
}

const Numbers operator_numbers{{"a", a}, {"b", b}, {"diagonal", diagonal}};

template <class T, bool OnRim>
void operator_check(DeviceUnderTest& bench, Cases& cases) {
  const char* kernel = OnRim ? "jacobi_boundary" : "jacobi_laplacian";
  const auto visit = [](const Box& box, const auto& body) {
    every_node(box, [&](std::int64_t i, std::int64_t j) {
      const bool beside_a_side =
          i == box.lower[0] || i == box.upper[0] - 1 || j == box.lower[1] || j == box.upper[1] - 1;
      if (!OnRim || beside_a_side) body(i, j);
    });
  };
  check_formula<T>(bench, cases, kernel, variations<T>(), operator_numbers, [&](const DeclaredLaunch<T>& l) {
    visit(l.box, [u = l.view("u"), au = l.view("au")](auto i, auto j) { au(i, j) = apply(u, i, j); });
  });
  cases(manufactured.grid.name, [&] {
    DeclaredLaunch<T> l(bench, {kernel, precision_of<T>, {}}, manufactured, operator_numbers);
    fill_polynomial(l.view("u"));
    l.trial.launch(l.box, l.arguments);
    visit(l.box, [&](std::int64_t i, std::int64_t j) {
      expect_close(node("au", i, j), static_cast<double>(l.field("au").seen(i, j)), polynomial_image,
                   tolerance_of<T>(bench));
    });
  });
}

template <class T>
void update_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "jacobi_update", variations<T>(), {{"weight", weight}},
                   [](const DeclaredLaunch<T>& l) {
                     const auto u = l.view("u"), f = l.view("f"), au = l.view("au"), r = l.view("r");
                     every_node(l.box, [&, weight = l.real("weight")](auto i, auto j) {
                       r(i, j) = f(i, j) - au(i, j);
                       u(i, j) = std::fma(r(i, j), weight, u(i, j));
                     });
                   });
}

template <class T>
void block_sums_of_squares(const View<T>& r, const View<T>& partials, const Box& box) {
  block_sums<T>([&](std::int64_t i, std::int64_t j) { return r(i, j) * r(i, j); }, partials, box);
}

template <class T>
void norm_check(DeviceUnderTest& bench, Cases& cases) {
  std::vector<Variation> list = variations<T>();
  for (Variation& v : list) v.scale = std::sqrt(v.scale);
  check_formula<T>(bench, cases, "jacobi_norm", list, {},
                   [](const DeclaredLaunch<T>& l) { block_sums_of_squares(l.view("r"), l.view("partials"), l.box); });
  // Small integers: every sum is exact, and counts the nodes of its block nine times.
  cases(manufactured.grid.name, [&] {
    DeclaredLaunch<T> l(bench, {"jacobi_norm", precision_of<T>, {}}, manufactured);
    every_node(l.box, [r = l.view("r")](auto i, auto j) { r(i, j) = 3; });
    l.trial.launch(l.box, l.arguments);
    every_node(Box::plane(4, 2), [&](std::int64_t bx, std::int64_t by) {
      const std::int64_t nodes =
          std::min<std::int64_t>(16, polynomial_nx - 16 * bx) * std::min<std::int64_t>(32, polynomial_ny - 32 * by);
      expect_close(node("partials", bx, by), static_cast<double>(l.field("partials").seen(bx, by)),
                   9.0 * static_cast<double>(nodes), 9.0 * 512.0 * bench.executor->device().error_bound);
    });
  });
}

/// Rows of nodes that go on beyond a box.
struct Beyond {
  std::int64_t below = 0, above = 0;
};

/// A pass of `count` sweeps by a kernel that can hold `depth`.
template <class T>
DeclaredLaunch<T> pass(DeviceUnderTest& bench, const Variation& v, bool rhs_array, std::int64_t depth,
                       std::int64_t count, double f, const Beyond& beyond = {}) {
  return pass_of<T>(bench, {"jacobi_sweeps", precision_of<T>, {{"rhs_array", rhs_array ? 1 : 0}, {"depth", depth}}}, v,
                    {{"a", a},
                     {"b", b},
                     {"diagonal", diagonal},
                     {"f_constant", f},
                     {"below", static_cast<double>(beyond.below)},
                     {"above", static_cast<double>(beyond.above)}},
                    count);
}

std::string in_words(bool rhs_array, std::int64_t depth, std::int64_t count) {
  return std::string(", rhs_array ") + (rhs_array ? "1" : "0") + ", depth " + std::to_string(depth) + ", count " +
         std::to_string(count);
}

template <class T>
struct FivePointSweep {
  T residual(const View<T>& w, std::int64_t i, std::int64_t j) const {
    return (rhs_array ? f(i, j) : constant) - apply(w, i, j);
  }
  T made(const View<T>& w, std::int64_t i, std::int64_t j, T residual, T weight) const {
    return std::fma(residual, weight, w(i, j));
  }

  bool rhs_array;
  View<T> f;
  T constant;
};

template <class T>
void sweeps_case(DeviceUnderTest& bench, Cases& cases, const Variation& v, bool rhs_array, std::int64_t depth,
                 std::int64_t count, const Beyond& beyond = {}) {
  cases(v.grid.name + in_words(rhs_array, depth, count), [&] {
    DeclaredLaunch<T> l = pass<T>(bench, v, rhs_array, depth, count, f_constant * v.scale, beyond);
    set_weights(l, weight);
    // The outermost rows do not change here: in as many sweeps as there are, that does not reach the box.
    Box nodes = l.box;
    nodes.lower[1] -= beyond.below;
    nodes.upper[1] += beyond.above;
    l.run([&](const auto&) {
      const FivePointSweep<T> sweep{rhs_array, rhs_array ? l.view("f") : View<T>{}, l.real("f_constant")};
      sweep_by_sweep<T>(l, nodes, sweep);
    });
  });
}

/// One sweep from the polynomial, with a residual far above round-off so that a wrong factor of the correction shows.
template <class T>
void manufactured_sweep(DeviceUnderTest& bench, Cases& cases, bool rhs_array) {
  cases(manufactured.grid.name + in_words(rhs_array, 1, 1), [&] {
    const double residual = 1000.0 * diagonal;
    const double rhs = polynomial_image + residual;
    DeclaredLaunch<T> l = pass<T>(bench, manufactured, rhs_array, 1, 1, rhs);
    fill_polynomial(l.view("u"));
    if (rhs_array) every_node(l.box, [f = l.view("f"), rhs](auto i, auto j) { f(i, j) = static_cast<T>(rhs); });
    l.field("weights")[0] = static_cast<T>(weight);
    l.trial.launch(l.box, l.arguments);
    const double tolerance = tolerance_of<T>(bench);
    every_node(l.box, [&](std::int64_t i, std::int64_t j) {
      const double expected = static_cast<double>(polynomial<T>(i, j)) + weight * residual;
      expect_close(node("u_new", i, j), static_cast<double>(l.field("u_new").seen(i, j)), expected, tolerance);
    });
    expect_close("partials(0,0)", static_cast<double>(l.field("partials").seen(0, 0)), 512.0 * residual * residual,
                 512.0 * 3.0 * residual * tolerance);
  });
}

/// Strips of a grid, each alone: what they leave together is what a pass over the whole leaves. Some are thinner than
/// the pass is deep, and some end so close to a side that fewer rows go on than it has sweeps.
template <class T>
void strips_check(DeviceUnderTest& bench, Cases& cases, std::int64_t depth) {
  struct Strip {
    std::int64_t nx, ny, first, last;
  };
  constexpr Strip strips[] = {{61, 131, 0, 32}, {61, 131, 32, 128}, {61, 131, 128, 131}, {17, 33, 0, 32},
                              {17, 33, 32, 33}, {20, 69, 32, 64},   {521, 100, 32, 96},  {700, 200, 64, 160}};
  for (const auto& [nx, ny, first, last] : strips) {
    for (const std::int64_t count : {depth, depth - 1}) {
      const Beyond beyond{std::min(count - 1, first), std::min(count - 1, ny - last)};
      const Box box{{0, first, 0}, {nx, last, 1}, {0, 0, 0}};
      const std::string name = std::to_string(nx) + "x" + std::to_string(ny) + ", rows " + std::to_string(first) +
                               " to " + std::to_string(last - 1);
      sweeps_case<T>(bench, cases, {{name, nx, ny, box, Style::native}}, true, depth, count, beyond);
      sweeps_case<T>(bench, cases, {{name + ", odd pitch and offset", nx, ny, box, Style::odd}}, false, depth, count,
                     beyond);
    }
  }
}

template <class T>
void sweeps_check(DeviceUnderTest& bench, Cases& cases) {
  for (std::int64_t depth = 1; depth <= deepest_pass; depth *= 2) {
    if (depth > 1 && !bench.executor->supports({"jacobi_sweeps", precision_of<T>, {{"depth", depth}}})) continue;
    for (const Variation& v : variations<T>()) sweeps_case<T>(bench, cases, v, true, depth, depth);
    for (const char* grid : {"1x1", "17x33", "521x67", "700x120"}) {
      const Variation v{grid_case(grid)};
      sweeps_case<T>(bench, cases, v, false, depth, depth);
      if (depth == 1) continue;
      sweeps_case<T>(bench, cases, v, true, depth, depth - 1);
      sweeps_case<T>(bench, cases, v, false, depth, 1);
    }
    if (depth > 1) strips_check<T>(bench, cases, depth);
    // More rows of blocks than a device has work-groups at once, so that one has to do several.
    if (bench.executor->supports({"jacobi_sweeps", precision_of<T>, {{"depth", 2 * depth}}})) continue;
    const GridCase tall{"20x60000", 20, 60000, Box::plane(20, 60000), Style::native};
    sweeps_case<T>(bench, cases, {tall}, true, depth, depth);
  }
  for (const bool rhs_array : {false, true}) manufactured_sweep<T>(bench, cases, rhs_array);
}

const RegisterOracles registered{
    {"jacobi_laplacian", operator_check<double, false>, operator_check<float, false>},
    {"jacobi_boundary", operator_check<double, true>, operator_check<float, true>},
    {"jacobi_update", update_check<double>, update_check<float>},
    {"jacobi_norm", norm_check<double>, norm_check<float>},
    {"jacobi_sweeps", sweeps_check<double>, sweeps_check<float>},
};

}  // namespace

}  // namespace quoin::conformance::jacobi
