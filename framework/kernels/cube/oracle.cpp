// Sweeps and transfers in space, operation by operation: rows of all planes, one after the other.

#include <cmath>

#include "conformance/passes.hpp"
#include "conformance/plane_faces.hpp"

namespace quoin::conformance::cube {
namespace {

/// Rows, and how many of them lie between a plane and the next.
struct Stack {
  Variation variation;
  std::int64_t plane;
};

/// A grid with a plane of rows below the box and above it.
std::vector<Stack> stacks() {
  struct Size {
    std::int64_t nx, rows, plane;
  };
  std::vector<Stack> list;
  const auto add = [&](const Size& size, Box box, const std::string& what, Style style, bool stopped = false) {
    box.origin = {(16 - box.lower[0] % 16) % 16, (32 - box.lower[1] % 32) % 32, 0};  // where a block begins
    const std::string name = std::to_string(size.nx) + "x" + std::to_string(size.rows) + ", planes of " +
                             std::to_string(size.plane) + " rows" + what;
    list.push_back({{{name, size.nx, size.rows + 2 * size.plane, box, style}, stopped}, size.plane});
  };
  for (const Size& size :
       {Size{1, 1, 3}, Size{7, 10, 3}, Size{16, 32, 6}, Size{17, 33, 7}, Size{521, 67, 5}, Size{127, 200, 34}}) {
    const Box box{{0, size.plane, 0}, {size.nx, size.plane + size.rows, 1}, {0, 0, 0}};
    add(size, box, "", Style::native);
    add(size, box, ", odd pitch and offset", Style::odd);
  }
  add({61, 131, 20}, {{3, 25, 0}, {40, 130, 1}, {0, 0, 0}}, ", a box within", Style::odd);
  add({61, 131, 20}, {{0, 20, 0}, {61, 151, 1}, {0, 0, 0}}, ", stopped", Style::odd, true);
  for (const Box& box : empty_boxes()) add({8, 8, 3}, box, ", empty box", Style::native);
  return list;
}

template <class T, class Formula>
void check_stacks(DeviceUnderTest& bench, Cases& cases, std::string_view kernel, Formula&& formula) {
  for (const Stack& stack : stacks())
    check_formula<T>(bench, cases, kernel, {stack.variation}, {{"plane", static_cast<double>(stack.plane)}}, formula);
}

/// Seven points at a node, with the factors of a launch.
template <class T>
struct Laplacian {
  explicit Laplacian(const DeclaredLaunch<T>& l)
      : plane(l.integer("plane")), a(l.real("a")), b(l.real("b")), c(l.real("c")), diagonal(l.real("diagonal")) {}
  T operator()(const View<T>& u, std::int64_t i, std::int64_t j) const {
    T sum = a * (u(i - 1, j) + u(i + 1, j));
    sum = std::fma(b, u(i, j - 1) + u(i, j + 1), sum);
    sum = std::fma(c, u(i, j - plane) + u(i, j + plane), sum);
    return std::fma(diagonal, u(i, j), -sum);
  }
  /// What a sweep makes of a node.
  [[nodiscard]] T made(const View<T>& u, std::int64_t i, std::int64_t j, T residual, T weight) const {
    return std::fma(residual, weight, u(i, j));
  }

  std::int64_t plane;
  T a, b, c, diagonal;
};

/// What leaves the cell of a node, and the factor of the node's own value in that.
template <class T>
struct Flow {
  explicit Flow(const DeclaredLaunch<T>& l)
      : level(l), kz(l.view("kz")), sink(l.view("sink")), plane(l.integer("plane")) {}
  T operator()(const View<T>& u, std::int64_t i, std::int64_t j) const {
    const T centre = u(i, j);
    T sum = std::fma(kz(i, j), centre - u(i, j - plane), level.flow(u, i, j));
    sum = std::fma(kz(i, j + plane), centre - u(i, j + plane), sum);
    return std::fma(sink(i, j), centre, sum);
  }
  [[nodiscard]] T diagonal(std::int64_t i, std::int64_t j) const {
    return (level.diagonal(i, j) + (kz(i, j) + kz(i, j + plane))) + sink(i, j);
  }
  [[nodiscard]] T made(const View<T>& u, std::int64_t i, std::int64_t j, T residual, T weight) const {
    return std::fma(weight, residual / diagonal(i, j), u(i, j));
  }

  PlaneFaces<T> level;
  View<T> kz, sink;
  std::int64_t plane;
};

/// au = A u, where rows are not of sides.
template <class T, template <class> class Operator>
void operator_oracle(DeviceUnderTest& bench, Cases& cases, std::string_view kernel) {
  check_stacks<T>(bench, cases, kernel, [](const DeclaredLaunch<T>& l) {
    every_node(l.box, [&, of = Operator<T>(l), u = l.view("u"), au = l.view("au")](auto i, auto j) {
      au(i, j) = l.field("inside")[j] * of(u, i, j);
    });
  });
}
template <class T>
void laplacian_oracle(DeviceUnderTest& bench, Cases& cases) {
  operator_oracle<T, Laplacian>(bench, cases, "cube_laplacian");
}
template <class T>
void flow_oracle(DeviceUnderTest& bench, Cases& cases) {
  operator_oracle<T, Flow>(bench, cases, "cube_flow");
}

template <class T>
void flow_update_oracle(DeviceUnderTest& bench, Cases& cases) {
  check_stacks<T>(bench, cases, "cube_flow_update", [](const DeclaredLaunch<T>& l) {
    const View<T> u = l.view("u"), r = l.view("r");
    every_node(l.box, [&, flow = Flow<T>(l), f = l.view("f"), au = l.view("au")](auto i, auto j) {
      r(i, j) = f(i, j) - au(i, j);
      u(i, j) = flow.made(u, i, j, r(i, j), l.real("weight"));
    });
  });
}

/// What the iterate w leaves at a node, and what that makes of it.
template <class T, template <class> class Operator>
struct Sweep {
  explicit Sweep(const DeclaredLaunch<T>& l) : of(l), f(l.view("f")), inside(l.field("inside")) {}
  T residual(const View<T>& w, std::int64_t i, std::int64_t j) const { return inside[j] * (f(i, j) - of(w, i, j)); }
  T made(const View<T>& w, std::int64_t i, std::int64_t j, T residual, T weight) const {
    return of.made(w, i, j, residual, weight);
  }

  Operator<T> of;
  View<T> f;
  Field<T>& inside;
};

template <class T, template <class> class Operator>
void sweep_oracle(DeviceUnderTest& bench, Cases& cases, std::string_view kernel) {
  check_stacks<T>(bench, cases, kernel, [&](const DeclaredLaunch<T>& l) {
    const Sweep<T, Operator> sweep(l);
    const View<T> u = l.view("u");
    const auto residual = [&](std::int64_t i, std::int64_t j) { return sweep.residual(u, i, j); };
    every_node(l.box, [&, u_new = l.view("u_new")](auto i, auto j) {
      u_new(i, j) = sweep.made(u, i, j, residual(i, j), l.real("weight"));
    });
    block_sums<T>([&](std::int64_t i, std::int64_t j) { return residual(i, j) * residual(i, j); }, l.view("partials"),
                  l.box);
  });
}
template <class T>
void cube_sweep_oracle(DeviceUnderTest& bench, Cases& cases) {
  sweep_oracle<T, Laplacian>(bench, cases, "cube_sweep");
}
template <class T>
void flow_sweep_oracle(DeviceUnderTest& bench, Cases& cases) {
  sweep_oracle<T, Flow>(bench, cases, "cube_flow_sweep");
}

/// Passes of a kernel in all depths that there are.
template <class T, template <class> class Operator>
void passes_oracle(DeviceUnderTest& bench, Cases& cases, const std::string& kernel) {
  const auto pass = [&](const Stack& stack, std::int64_t depth, std::int64_t count) {
    const Variation& v = stack.variation;
    cases(v.grid.name + ", depth " + std::to_string(depth) + ", count " + std::to_string(count), [&] {
      DeclaredLaunch<T> l = pass_of<T>(bench, {kernel, precision_of<T>, {{"depth", depth}}}, v,
                                       {{"plane", static_cast<double>(stack.plane)}}, count);
      set_weights(l, 0.15);
      for (const char* name : {"kx", "ky", "kz", "sink"})
        if (l.entry.argument(name) < l.entry.arguments.size()) make_positive(l.field(name));
      // Rows of sides among the others, as between planes.
      Field<T>& inside = l.field("inside");
      for (std::int64_t j = l.box.lower[1]; j < l.box.upper[1]; ++j)
        inside[j] = static_cast<T>(j % stack.plane < 2 ? 0 : 1);
      l.run([&](const auto&) { sweep_by_sweep<T>(l, l.box, Sweep<T, Operator>(l)); });
    });
  };
  const auto offered = [&](std::int64_t depth) {
    return bench.executor->supports({kernel, precision_of<T>, {{"depth", depth}}});
  };
  for (std::int64_t depth = 2; depth <= deepest_row_pass && offered(depth); depth *= 2) {
    for (const Stack& stack : stacks())
      for (const std::int64_t count : {depth, depth - 1}) pass(stack, depth, count);
  }
  // Planes so large that tiles are narrow, and so many of them that rows are cut.
  const GridCase large{"300x3900", 300, 3900 + 2 * 650, {{0, 650, 0}, {300, 4550, 1}, {0, 22, 0}}, Style::native};
  if (offered(deepest_row_pass)) pass({{large}, 650}, deepest_row_pass, deepest_row_pass);
}
template <class T>
void cube_sweeps_oracle(DeviceUnderTest& bench, Cases& cases) {
  passes_oracle<T, Laplacian>(bench, cases, "cube_sweeps");
}
template <class T>
void flow_sweeps_oracle(DeviceUnderTest& bench, Cases& cases) {
  passes_oracle<T, Flow>(bench, cases, "cube_flow_sweeps");
}

/// The grid that is written, and the other one, whose rows are no shorter.
struct Transfer {
  Variation variation;
  std::int64_t nx, rows, plane;
};

std::vector<Transfer> transfers() {
  const auto of = [](std::int64_t nx, std::int64_t ny, const Box& box, const std::string& what, Style style,
                     bool stopped = false) {
    return Variation{{std::to_string(nx) + "x" + std::to_string(ny) + what, nx, ny, box, style}, stopped};
  };
  std::vector<Transfer> list;
  for (const Style style : {Style::native, Style::odd}) {
    const std::string what = style == Style::odd ? ", odd pitch and offset" : "";
    list.push_back({of(1, 1, Box::plane(1, 1), what, style), 4, 30, 9});
    list.push_back({of(17, 65, Box::plane(17, 65), what, style), 35, 131, 13});
    list.push_back({of(133, 40, Box::plane(133, 40), what, style), 141, 90, 11});
  }
  list.push_back({of(20, 60, {{3, 5, 0}, {15, 50, 1}, {0, 0, 0}}, ", a box within", Style::odd), 30, 77, 10});
  list.push_back({of(20, 60, Box::plane(20, 60), ", stopped", Style::odd, true), 30, 77, 10});
  for (const Box& box : empty_boxes()) list.push_back({of(8, 8, box, ", empty box", Style::native), 8, 40, 9});
  return list;
}

/// Tables that lead anywhere from which `columns` and `rows` more are within the other grid.
template <class T>
void scatter(const DeclaredLaunch<T>& l, const Transfer& t, std::int64_t columns, std::int64_t rows) {
  for (std::int64_t i = l.box.lower[0]; i < l.box.upper[0]; ++i) l.integers("columns")[i] = 5 * i % (t.nx - columns);
  for (std::int64_t j = l.box.lower[1]; j < l.box.upper[1]; ++j) l.integers("rows")[j] = 7 * j % (t.rows - rows);
}

template <class T>
void cube_restrict_oracle(DeviceUnderTest& bench, Cases& cases) {
  constexpr std::int64_t across = 3, down = 4, through = 2;
  for (const Transfer& t : transfers()) {
    cases(t.variation.grid.name, [&] {
      DeclaredLaunch<T> l(bench, {"cube_restrict", precision_of<T>, {}}, t.variation,
                          {{"across_count", across},
                           {"down_count", down},
                           {"through_count", through},
                           {"plane", static_cast<double>(t.plane)}},
                          {{"f", {t.nx, t.rows}}, {"au", {t.nx, t.rows}}});
      l.field("f").fill(Box::plane(t.nx, t.rows), 5);
      l.field("au").fill(Box::plane(t.nx, t.rows), 6);
      scatter(l, t, across, t.plane * (through - 1) + down);
      l.run([&](const auto&) {
        const View<T> f = l.view("f"), au = l.view("au");
        every_node(l.box, [&](std::int64_t i, std::int64_t j) {
          T mean = 0;
          for (std::int64_t s = 0; s < across; ++s) {
            T column = 0;
            for (std::int64_t r = 0; r < down; ++r) {
              T depth = 0;
              for (std::int64_t p = 0; p < through; ++p) {
                const std::int64_t x = l.integers("columns")[i] + s;
                const std::int64_t y = l.integers("rows")[j] + r + p * t.plane;
                depth = std::fma(l.view("through")(j, p), f(x, y) - au(x, y), depth);
              }
              column = std::fma(l.view("down")(j, r), depth, column);
            }
            mean = std::fma(l.view("across")(i, s), column, mean);
          }
          l.view("coarse_f")(i, j) = mean;
          l.view("coarse_u")(i, j) = T(0);
        });
      });
    });
  }
}

template <class T>
T way(T from, T to, T share) {
  return std::fma(share, to - from, from);
}

template <class T>
void cube_prolong_oracle(DeviceUnderTest& bench, Cases& cases) {
  for (const Transfer& t : transfers()) {
    cases(t.variation.grid.name, [&] {
      DeclaredLaunch<T> l(bench, {"cube_prolong", precision_of<T>, {}}, t.variation,
                          {{"plane", static_cast<double>(t.plane)}}, {{"coarse_u", {t.nx, t.rows}}});
      l.field("coarse_u").fill(Box::plane(t.nx, t.rows), 3);
      scatter(l, t, 2, t.plane + 2);
      l.run([&](const auto&) {
        const View<T> u = l.view("u"), coarse = l.view("coarse_u");
        every_node(l.box, [&](std::int64_t i, std::int64_t j) {
          const std::int64_t x = l.integers("columns")[i];
          const T y = l.field("down")[j];
          const auto level = [&](std::int64_t row) {
            const T left = way(coarse(x, row), coarse(x, row + 1), y);
            return way(left, way(coarse(x + 1, row), coarse(x + 1, row + 1), y), l.field("across")[i]);
          };
          const std::int64_t row = l.integers("rows")[j];
          const T correction = way(level(row), level(row + t.plane), l.field("through")[j]);
          u(i, j) = std::fma(l.field("inside")[j], correction, u(i, j));
        });
      });
    });
  }
}

const RegisterOracles registered_cube{
    {"cube_laplacian", laplacian_oracle<double>, laplacian_oracle<float>},
    {"cube_sweep", cube_sweep_oracle<double>, cube_sweep_oracle<float>},
    {"cube_sweeps", cube_sweeps_oracle<double>, cube_sweeps_oracle<float>},
    {"cube_flow_sweeps", flow_sweeps_oracle<double>, flow_sweeps_oracle<float>},
    {"cube_flow", flow_oracle<double>, flow_oracle<float>},
    {"cube_flow_update", flow_update_oracle<double>, flow_update_oracle<float>},
    {"cube_flow_sweep", flow_sweep_oracle<double>, flow_sweep_oracle<float>},
    {"cube_restrict", cube_restrict_oracle<double>, cube_restrict_oracle<float>},
    {"cube_prolong", cube_prolong_oracle<double>, cube_prolong_oracle<float>},
};

}  // namespace
}  // namespace quoin::conformance::cube
