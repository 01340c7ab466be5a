// The yardsticks of a device.

#include "conformance/launch.hpp"

namespace quoin::conformance::stream {
namespace {

/// Vectors, too.
std::vector<Variation> variations() {
  std::vector<Variation> list = grid_variations();
  for (const std::int64_t n : {1, 7, 512, 4097, 100003}) {
    for (const Style style : {Style::native, Style::odd}) {
      const std::string offset = style == Style::odd ? ", odd offset" : "";
      list.push_back({{std::to_string(n) + " elements" + offset, n, 1, Box::line(n), style}});
    }
  }
  return list;
}

/// Those of few points: for kernels that take a microsecond for each.
std::vector<Variation> small_variations() {
  std::vector<Variation> list = variations();
  std::erase_if(list, [](const Variation& one) { return one.grid.box.points() > 3000; });
  return list;
}

template <class T>
void copy_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "stream_copy", variations(), {}, [](const DeclaredLaunch<T>& l) {
    every_node(l.box, [x = l.view("x"), y = l.view("y")](auto i, auto j) { y(i, j) = x(i, j); });
  });
}

template <class T>
void triad_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "stream_triad", variations(), {{"scale", 1.0 / 3.0}}, [](const DeclaredLaunch<T>& l) {
    const auto x = l.view("x"), y = l.view("y"), z = l.view("z");
    every_node(l.box, [&, scale = l.real("scale")](auto i, auto j) { z(i, j) = std::fma(scale, y(i, j), x(i, j)); });
  });
}

template <class T>
void multiply_add_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "stream_multiply_add", small_variations(), {{"factor", 0.9}, {"summand", 0.3}},
                   [](const DeclaredLaunch<T>& l) {
                     const auto x = l.view("x"), y = l.view("y");
                     const T factor = l.real("factor"), summand = l.real("summand");
                     every_node(l.box, [&](auto i, auto j) {
                       T start = x(i, j), sum = 0;
                       for (int chain = 0; chain < 8; ++chain, start += 1) {
                         T value = start;
                         for (int round = 0; round < 64; ++round) value = std::fma(value, factor, summand);
                         sum = chain == 0 ? value : sum + value;
                       }
                       y(i, j) = sum;
                     });
                   });
}

const RegisterOracles registered{{"stream_copy", copy_check<double>, copy_check<float>},
                                 {"stream_triad", triad_check<double>, triad_check<float>},
                                 {"stream_multiply_add", multiply_add_check<double>, multiply_add_check<float>}};

}  // namespace
}  // namespace quoin::conformance::stream
