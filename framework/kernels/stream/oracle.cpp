// The yardsticks of memory bandwidth.

#include "conformance/oracle.hpp"

namespace quoin::conformance {
namespace {

constexpr double scale = 1.0 / 3.0;

template <class T, bool Triad>
void stream_case(DeviceUnderTest& bench, const Box& box, const Place& place) {
  Trial trial(bench, {Triad ? "stream_triad" : "stream_copy", precision_of<T>, {}});
  auto& x = trial.field<T>("x", place);
  auto& y = trial.field<T>("y", place);
  x.fill(box, 1);
  if constexpr (Triad) {
    auto& z = trial.field<T>("z", place);
    y.fill(box, 2);
    trial.launch(box, {x.argument(), y.argument(), z.argument(), Argument::real(scale)});
    every_node(box, [&](std::int64_t i, std::int64_t j) {
      z.view()(i, j) = std::fma(static_cast<T>(scale), y.view()(i, j), x.view()(i, j));
    });
  } else {
    trial.launch(box, {x.argument(), y.argument()});
    every_node(box, [&](std::int64_t i, std::int64_t j) { y.view()(i, j) = x.view()(i, j); });
  }
  trial.compare();
}

template <class T, bool Triad>
void stream_check(DeviceUnderTest& bench, Cases& cases) {
  for (const std::int64_t n : {1, 7, 512, 4097, 100003}) {
    for (const Style style : {Style::native, Style::odd}) {
      cases(std::to_string(n) + " elements" + (style == Style::odd ? ", offset of one element" : ""),
            [&] { stream_case<T, Triad>(bench, Box::line(n), place_array(n, style)); });
    }
  }
  for (const GridCase& grid : grid_cases()) {
    cases(grid.name, [&] {
      stream_case<T, Triad>(bench, grid.box, place_grid<T>(*bench.executor, grid.nx, grid.ny, grid.style));
    });
  }
  for (const Box& box : empty_boxes())
    cases("empty box", [&] { stream_case<T, Triad>(bench, box, place_grid<T>(*bench.executor, 8, 8, Style::native)); });
}

const RegisterOracles registered{{"stream_copy", stream_check<double, false>, stream_check<float, false>},
                                 {"stream_triad", stream_check<double, true>, stream_check<float, true>}};

}  // namespace
}  // namespace quoin::conformance
