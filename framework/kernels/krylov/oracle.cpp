// Updates of vectors and the numbers of conjugate gradients, operation by operation.

#include "conformance/launch.hpp"

namespace quoin::conformance {
namespace {

/// Vectors as a solver has them, 16 wide, besides planes of any size.
std::vector<Variation> variations_without_stop() {
  std::vector<Variation> list = grid_variations();
  for (const std::int64_t rows : {1, 31, 32, 33, 1000})
    list.push_back({{std::to_string(16 * rows) + " elements", 16, rows, Box::plane(16, rows), Style::native}});
  return list;
}

std::vector<Variation> variations() {
  std::vector<Variation> list = variations_without_stop();
  Variation stopped = list.back();
  stopped.grid.name += ", stopped";
  stopped.stopped = true;
  list.push_back(stopped);
  return list;
}

/// The block sums of value(i, j) go to `partials`.
template <class T, class Value>
void sum_blocks(const DeclaredLaunch<T>& l, Value&& value) {
  block_sums<T>(value, l.view("partials"), l.box);
}

template <class T>
void product_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_product", variations(), {}, [](const DeclaredLaunch<T>& l) {
    sum_blocks(l, [u = l.view("u"), v = l.view("v")](auto i, auto j) { return u(i, j) * v(i, j); });
  });
}

template <class T>
void residual_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_residual", variations_without_stop(), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> b = l.view("b"), y = l.view("y"), r = l.view("r");
    every_node(l.box, [&](auto i, auto j) { r(i, j) = b(i, j) - y(i, j); });
    sum_blocks(l, [&](auto i, auto j) { return r(i, j) * r(i, j); });
  });
}

template <class T>
void scale_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_scale", variations(), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> d = l.view("d"), r = l.view("r"), z = l.view("z");
    every_node(l.box, [&](auto i, auto j) { z(i, j) = d(i, j) * r(i, j); });
    sum_blocks(l, [&](auto i, auto j) { return r(i, j) * z(i, j); });
  });
}

template <class T>
void direction_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_direction", variations(), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> z = l.view("z"), p = l.view("p");
    every_node(l.box, [&, beta = l.field("beta")[0]](auto i, auto j) { p(i, j) = std::fma(beta, p(i, j), z(i, j)); });
  });
}

template <class T>
void step_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_step", variations(), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> p = l.view("p"), w = l.view("w"), x = l.view("x"), r = l.view("r");
    every_node(l.box, [&, alpha = l.field("alpha")[0]](auto i, auto j) {
      x(i, j) = std::fma(alpha, p(i, j), x(i, j));
      r(i, j) = std::fma(-alpha, w(i, j), r(i, j));
    });
    sum_blocks(l, [&](auto i, auto j) { return r(i, j) * r(i, j); });
  });
}

struct Recurrence {
  std::string name;
  std::int64_t partials = 1, systems = 1;
  Style style = Style::native;
  double first = 2.0;  ///< the first partial of each system: the others are small
  std::int64_t stopped_at = 0;
};

std::vector<Recurrence> recurrences() {
  std::vector<Recurrence> list;
  for (const std::int64_t n : {1, 2, 5, 64, 1000, 4097}) {
    list.push_back({std::to_string(n) + " partials", n});
    list.push_back({std::to_string(n) + " partials of 3 systems, offset of one element", n, 3, Style::odd});
  }
  list.push_back({"negative", 100, 1, Style::native, -3.0});
  list.push_back({"zero", 1, 1, Style::native, 0.0});
  list.push_back({"infinite", 100, 1, Style::native, std::numeric_limits<double>::infinity()});
  list.push_back({"not a number", 100, 2, Style::native, std::nan("")});
  list.push_back({"already stopped", 100, 1, Style::native, 2.0, 17});
  return list;
}

/// Calls apply(launch, system, sum) for each system of a launch that has not been stopped.
template <class T, class Apply>
void check_recurrence(DeviceUnderTest& bench, Cases& cases, const char* kernel, const Numbers& numbers, Apply&& apply) {
  for (const Recurrence& s : recurrences()) {
    cases(s.name, [&] {
      const Box box = Box::plane(s.partials, s.systems);
      DeclaredLaunch<T> l(bench, {kernel, precision_of<T>, {}}, {{s.name, s.partials, s.systems, box, s.style}},
                          numbers);
      const View<T> values = l.view("values");
      every_node(box, [&](auto i, auto j) { values(i, j) *= T(1e-4); });
      for (std::int64_t j = 0; j < s.systems; ++j) values(0, j) = static_cast<T>(s.first);
      l.integers("control")[0] = s.stopped_at;
      l.integers("control")[1] = 0;
      l.run([&](const auto&) {
        if (s.stopped_at != 0) return;
        for (std::int64_t j = 0; j < s.systems; ++j) {
          std::vector<T> list;
          for (std::int64_t i = 0; i < s.partials; ++i) list.push_back(values(i, j));
          apply(l, j, tree_sum<T>(list));
        }
      });
    });
  }
}

template <class T>
void alpha_check(DeviceUnderTest& bench, Cases& cases) {
  constexpr std::int64_t iteration = 42;
  check_recurrence<T>(bench, cases, "cg_alpha", {{"iteration", iteration}},
                      [](const DeclaredLaunch<T>& l, std::int64_t system, T sum) {
                        l.field("curvature")[system] = sum;
                        l.field("alpha")[system] = l.field("rho")[system] / sum;
                        if (sum > 0 && std::isfinite(sum)) return;
                        l.integers("control")[0] = iteration;
                        l.integers("control")[1] = 2;
                      });
}

template <class T>
void beta_check(DeviceUnderTest& bench, Cases& cases) {
  check_recurrence<T>(bench, cases, "cg_beta", {}, [](const DeclaredLaunch<T>& l, std::int64_t system, T sum) {
    l.field("beta")[system] = sum / l.field("rho")[system];
    l.field("rho")[system] = sum;
  });
}

const RegisterOracles registered{{"krylov_product", product_check<double>, product_check<float>},
                                 {"krylov_residual", residual_check<double>, residual_check<float>},
                                 {"krylov_scale", scale_check<double>, scale_check<float>},
                                 {"krylov_direction", direction_check<double>, direction_check<float>},
                                 {"krylov_step", step_check<double>, step_check<float>},
                                 {"cg_alpha", alpha_check<double>, alpha_check<float>},
                                 {"cg_beta", beta_check<double>, beta_check<float>}};

}  // namespace
}  // namespace quoin::conformance
