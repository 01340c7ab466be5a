// Updates of vectors and the numbers of conjugate gradients, operation by operation.

#include "conformance/recurrence.hpp"

namespace quoin::conformance::krylov {
namespace {

/// The block sums of value(i, j) go to `partials`.
template <class T, class Value>
void sum_blocks(const DeclaredLaunch<T>& l, Value&& value) {
  block_sums<T>(value, l.view("partials"), l.box);
}

template <class T>
void product_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_product", vector_variations(true), {}, [](const DeclaredLaunch<T>& l) {
    sum_blocks(l, [u = l.view("u"), v = l.view("v")](auto i, auto j) { return u(i, j) * v(i, j); });
  });
}

template <class T>
void residual_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_residual", vector_variations(false), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> b = l.view("b"), y = l.view("y"), r = l.view("r");
    every_node(l.box, [&](auto i, auto j) { r(i, j) = b(i, j) - y(i, j); });
    sum_blocks(l, [&](auto i, auto j) { return r(i, j) * r(i, j); });
  });
}

/// With a diagonal that varies, and with one that does not; formula(launch, d) is told its elements.
template <class T, class Formula>
void check_scaled(DeviceUnderTest& bench, Cases& cases, const char* kernel, Formula&& formula) {
  check_formula<T>(bench, cases, kernel, vector_variations(true), {}, [&](const DeclaredLaunch<T>& l) {
    formula(l, [d = l.view("d")](auto i, auto j) { return d(i, j); });
  });
  std::vector<Variation> alike = vector_variations(true);
  for (Variation& v : alike) v.grid.name += ", the same everywhere";
  check_formula<T>(bench, cases, kernel, alike, {{"varies", 0.0}, {"same", 0.7}}, [&](const DeclaredLaunch<T>& l) {
    formula(l, [same = l.real("same")](auto, auto) { return same; });
  });
}

template <class T>
void scale_check(DeviceUnderTest& bench, Cases& cases) {
  check_scaled<T>(bench, cases, "krylov_scale", [](const DeclaredLaunch<T>& l, auto&& d) {
    const View<T> r = l.view("r"), z = l.view("z");
    every_node(l.box, [&](auto i, auto j) { z(i, j) = d(i, j) * r(i, j); });
    sum_blocks(l, [&](auto i, auto j) { return r(i, j) * z(i, j); });
  });
}

template <class T>
void cg_residual_check(DeviceUnderTest& bench, Cases& cases) {
  check_scaled<T>(bench, cases, "cg_residual", [](const DeclaredLaunch<T>& l, auto&& d) {
    const View<T> w = l.view("w"), r = l.view("r");
    every_node(l.box,
               [&, alpha = l.field("alpha")[0]](auto i, auto j) { r(i, j) = std::fma(-alpha, w(i, j), r(i, j)); });
    sum_blocks(l, [&](auto i, auto j) {
      const T z = d(i, j) * r(i, j);
      return r(i, j) * z;
    });
  });
}

template <class T>
void cg_advance_check(DeviceUnderTest& bench, Cases& cases) {
  check_scaled<T>(bench, cases, "cg_advance", [](const DeclaredLaunch<T>& l, auto&& d) {
    const View<T> r = l.view("r"), x = l.view("x"), p = l.view("p");
    every_node(l.box, [&, alpha = l.field("alpha")[0], beta = l.field("beta")[0]](auto i, auto j) {
      const T z = d(i, j) * r(i, j);
      x(i, j) = std::fma(alpha, p(i, j), x(i, j));
      p(i, j) = std::fma(beta, p(i, j), z);
    });
    sum_blocks(l, [&](auto i, auto j) { return r(i, j) * r(i, j); });
  });
}

template <class T>
void direction_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_direction", vector_variations(true), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> z = l.view("z"), p = l.view("p");
    every_node(l.box, [&, beta = l.field("beta")[0]](auto i, auto j) { p(i, j) = std::fma(beta, p(i, j), z(i, j)); });
  });
}

template <class T>
void step_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "krylov_step", vector_variations(true), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> p = l.view("p"), w = l.view("w"), x = l.view("x"), r = l.view("r");
    every_node(l.box, [&, alpha = l.field("alpha")[0]](auto i, auto j) {
      x(i, j) = std::fma(alpha, p(i, j), x(i, j));
      r(i, j) = std::fma(-alpha, w(i, j), r(i, j));
    });
    sum_blocks(l, [&](auto i, auto j) { return r(i, j) * r(i, j); });
  });
}

template <class T>
void alpha_check(DeviceUnderTest& bench, Cases& cases) {
  constexpr std::int64_t iteration = 42;
  check_recurrence<T>(bench, cases, "cg_alpha", recurrences(), {{"iteration", iteration}},
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
  check_recurrence<T>(bench, cases, "cg_beta", recurrences(), {},
                      [](const DeclaredLaunch<T>& l, std::int64_t system, T sum) {
                        l.field("beta")[system] = sum / l.field("rho")[system];
                        l.field("rho")[system] = sum;
                      });
}

const RegisterOracles registered{{"krylov_product", product_check<double>, product_check<float>},
                                 {"krylov_residual", residual_check<double>, residual_check<float>},
                                 {"krylov_scale", scale_check<double>, scale_check<float>},
                                 {"cg_residual", cg_residual_check<double>, cg_residual_check<float>},
                                 {"cg_advance", cg_advance_check<double>, cg_advance_check<float>},
                                 {"krylov_direction", direction_check<double>, direction_check<float>},
                                 {"krylov_step", step_check<double>, step_check<float>},
                                 {"cg_alpha", alpha_check<double>, alpha_check<float>},
                                 {"cg_beta", beta_check<double>, beta_check<float>}};

}  // namespace
}  // namespace quoin::conformance::krylov
