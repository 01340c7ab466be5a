// What the kernels of the heat equation give, written from their declaration alone.

#include "conformance/launch.hpp"

namespace quoin::conformance {
namespace {

/// The rate at a node of `u`. The order of operations is part of the definition.
template <class T>
T rate_at(const DeclaredLaunch<T>& l, std::string_view field, std::int64_t i, std::int64_t j) {
  const View<T> u = l.view(field);
  const T sideways = u(i - 1, j) + u(i + 1, j);
  const T neighbours = std::fma(l.real("b"), u(i, j - 1) + u(i, j + 1), l.real("a") * sideways);
  return std::fma(l.real("growth"), l.view("source")(i, j), std::fma(-l.real("diagonal"), u(i, j), neighbours));
}

template <class T>
void start(const DeclaredLaunch<T>& l) {
  every_node(l.box, [&](auto i, auto j) {
    l.view("rate")(i, j) = rate_at(l, "u", i, j);
    l.view("next")(i, j) = std::fma(l.real("step"), l.view("rate")(i, j), l.view("u")(i, j));
  });
}

template <class T>
void stage(const DeclaredLaunch<T>& l) {
  every_node(l.box, [&](auto i, auto j) {
    T sum = l.real("whole") * l.view("u")(i, j);
    sum = std::fma(l.real("now"), l.view("latest")(i, j), sum);
    sum = std::fma(l.real("last"), l.view("before")(i, j), sum);
    sum = std::fma(l.real("first"), l.view("rate")(i, j), sum);
    l.view("next")(i, j) = std::fma(l.real("step"), rate_at(l, "latest", i, j), sum);
  });
}

template <class T>
void energy(const DeclaredLaunch<T>& l) {
  const View<T> u = l.view("u");
  block_sums<T>([&](auto i, auto j) { return u(i, j) * u(i, j); }, l.view("partials"), l.box);
}

constexpr char start_name[] = "heat_start", stage_name[] = "heat_stage", energy_name[] = "heat_energy";

template <class T, const char* name, void (*formula)(const DeclaredLaunch<T>&)>
void check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, name, grid_variations(), {{"last", -0.3}, {"first", -0.02}}, formula);
}

const RegisterOracles registered{
    {start_name, check<double, start_name, start<double>>, check<float, start_name, start<float>>},
    {stage_name, check<double, stage_name, stage<double>>, check<float, stage_name, stage<float>>},
    {energy_name, check<double, energy_name, energy<double>>, check<float, energy_name, energy<float>>}};

}  // namespace
}  // namespace quoin::conformance
