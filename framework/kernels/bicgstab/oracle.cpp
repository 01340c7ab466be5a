// The numbers of BiCGSTAB and its search direction, operation by operation.

#include "conformance/recurrence.hpp"

namespace quoin::conformance::bicgstab {
namespace {

constexpr std::int64_t this_iteration = 42;

/// Besides those of any recurrence: an earlier launch of the same iteration has stopped the run.
std::vector<Recurrence> bicgstab_recurrences() {
  std::vector<Recurrence> list = recurrences();
  list.push_back({"stopped by this iteration", 100, 1, Style::native, 2.0, this_iteration});
  return list;
}

/// What comes of a divisor.
template <class T>
void expect_stop(const DeclaredLaunch<T>& l, std::int64_t code, T divisor) {
  if (divisor != 0 && std::isfinite(divisor)) return;
  l.integers("control")[0] = this_iteration;
  l.integers("control")[1] = code;
}

template <class T, class Apply>
void check_number(DeviceUnderTest& bench, Cases& cases, const char* kernel, Apply&& apply) {
  check_recurrence<T>(bench, cases, kernel, bicgstab_recurrences(), {{"iteration", this_iteration}}, apply);
}

template <class T>
void bicgstab_beta_check(DeviceUnderTest& bench, Cases& cases) {
  check_number<T>(bench, cases, "bicgstab_beta", [](const DeclaredLaunch<T>& l, std::int64_t k, T sum) {
    const T steps = l.field("alpha")[k] / l.field("omega")[k];
    l.field("beta")[k] = (sum / l.field("rho")[k]) * steps;
    l.field("rho")[k] = sum;
    expect_stop(l, 2, sum);
  });
}

template <class T>
void bicgstab_direction_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "bicgstab_direction", vector_variations(true), {}, [](const DeclaredLaunch<T>& l) {
    const View<T> r = l.view("r"), v = l.view("v"), p = l.view("p");
    every_node(l.box, [&, beta = l.field("beta")[0], omega = l.field("omega")[0]](auto i, auto j) {
      p(i, j) = std::fma(beta, std::fma(-omega, v(i, j), p(i, j)), r(i, j));
    });
  });
}

template <class T>
void bicgstab_alpha_check(DeviceUnderTest& bench, Cases& cases) {
  check_number<T>(bench, cases, "bicgstab_alpha", [](const DeclaredLaunch<T>& l, std::int64_t k, T sum) {
    l.field("alpha")[k] = l.field("rho")[k] / sum;
    expect_stop(l, 3, sum);
  });
}

template <class T>
void bicgstab_omega_check(DeviceUnderTest& bench, Cases& cases) {
  check_number<T>(bench, cases, "bicgstab_omega", [](const DeclaredLaunch<T>& l, std::int64_t k, T sum) {
    l.field("omega")[k] = l.field("ts")[k] / sum;
    expect_stop(l, 4, l.field("omega")[k]);
  });
}

const RegisterOracles registered{
    {"bicgstab_beta", bicgstab_beta_check<double>, bicgstab_beta_check<float>},
    {"bicgstab_direction", bicgstab_direction_check<double>, bicgstab_direction_check<float>},
    {"bicgstab_alpha", bicgstab_alpha_check<double>, bicgstab_alpha_check<float>},
    {"bicgstab_omega", bicgstab_omega_check<double>, bicgstab_omega_check<float>}};

}  // namespace
}  // namespace quoin::conformance::bicgstab
