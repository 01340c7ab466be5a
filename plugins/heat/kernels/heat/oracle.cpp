// What the kernels of the heat equation give, written from their declaration alone.

#include "conformance/oracle.hpp"

namespace quoin::conformance {
namespace {

constexpr double a = 0.3, b = 0.7, diagonal = 1.9, growth = 0.6;

/// The rate at a node. The order of operations is part of the definition.
template <class T>
T rate_at(const View<T>& u, T source, std::int64_t i, std::int64_t j) {
  const T sideways = u(i - 1, j) + u(i + 1, j);
  const T neighbours = std::fma(T(b), u(i, j - 1) + u(i, j + 1), T(a) * sideways);
  return std::fma(T(growth), source, std::fma(-T(diagonal), u(i, j), neighbours));
}

std::vector<Argument> numbers() {
  return {Argument::real(a), Argument::real(b), Argument::real(diagonal), Argument::real(growth)};
}

template <class T>
void start_case(DeviceUnderTest& bench, const GridCase& grid) {
  Trial trial(bench, {"heat_start", precision_of<T>, {}});
  const Place place = place_grid<T>(*bench.executor, grid.nx, grid.ny, grid.style);
  auto& u = trial.field<T>("u", place);
  auto& source = trial.field<T>("source", place);
  auto& rate = trial.field<T>("rate", place);
  auto& next = trial.field<T>("next", place);
  u.fill_with_sides(grid.box, 1);
  source.fill(grid.box, 5);
  std::vector<Argument> arguments{u.argument(), source.argument(), rate.argument(), next.argument()};
  for (const Argument& number : numbers()) arguments.push_back(number);
  arguments.push_back(Argument::real(0.2));
  trial.launch(grid.box, arguments);
  every_node(grid.box, [&](std::int64_t i, std::int64_t j) {
    rate.view()(i, j) = rate_at<T>(u.view(), source.view()(i, j), i, j);
    next.view()(i, j) = std::fma(T(0.2), rate.view()(i, j), u.view()(i, j));
  });
  trial.compare();
}

template <class T>
void stage_case(DeviceUnderTest& bench, const GridCase& grid) {
  Trial trial(bench, {"heat_stage", precision_of<T>, {}});
  const Place place = place_grid<T>(*bench.executor, grid.nx, grid.ny, grid.style);
  auto& u = trial.field<T>("u", place);
  auto& latest = trial.field<T>("latest", place);
  auto& before = trial.field<T>("before", place);
  auto& source = trial.field<T>("source", place);
  auto& rate = trial.field<T>("rate", place);
  auto& next = trial.field<T>("next", place);
  latest.fill_with_sides(grid.box, 1);
  unsigned seed = 10;
  for (auto* field : {&u, &before, &source, &rate}) field->fill(grid.box, seed++);
  std::vector<Argument> arguments{u.argument(),      latest.argument(), before.argument(),
                                  source.argument(), rate.argument(),   next.argument()};
  for (const Argument& number : numbers()) arguments.push_back(number);
  for (const double number : {-0.4, 1.7, -0.3, 0.05, -0.02}) arguments.push_back(Argument::real(number));
  trial.launch(grid.box, arguments);
  every_node(grid.box, [&](std::int64_t i, std::int64_t j) {
    const T now = rate_at<T>(latest.view(), source.view()(i, j), i, j);
    T sum = T(-0.4) * u.view()(i, j);
    sum = std::fma(T(1.7), latest.view()(i, j), sum);
    sum = std::fma(T(-0.3), before.view()(i, j), sum);
    sum = std::fma(T(-0.02), rate.view()(i, j), sum);
    next.view()(i, j) = std::fma(T(0.05), now, sum);
  });
  trial.compare();
}

template <class T>
void energy_case(DeviceUnderTest& bench, const GridCase& grid) {
  Trial trial(bench, {"heat_energy", precision_of<T>, {}});
  auto& u = trial.field<T>("u", place_grid<T>(*bench.executor, grid.nx, grid.ny, grid.style));
  auto& partials =
      trial.field<T>("partials", place_grid<T>(*bench.executor, grid.nx / 16 + 1, grid.ny / 32 + 1, grid.style));
  u.fill(grid.box, 3);
  trial.launch(grid.box, {u.argument(), partials.argument()});
  block_sums<T>([&](auto i, auto j) { return u.view()(i, j) * u.view()(i, j); }, partials.view(), grid.box);
  trial.compare();
}

template <class T, void (*one_case)(DeviceUnderTest&, const GridCase&)>
void check(DeviceUnderTest& bench, Cases& cases) {
  for (const GridCase& grid : grid_cases()) cases(grid.name, [&] { one_case(bench, grid); });
}

const RegisterOracles registered{{"heat_start", check<double, start_case<double>>, check<float, start_case<float>>},
                                 {"heat_stage", check<double, stage_case<double>>, check<float, stage_case<float>>},
                                 {"heat_energy", check<double, energy_case<double>>, check<float, energy_case<float>>}};

}  // namespace
}  // namespace quoin::conformance
