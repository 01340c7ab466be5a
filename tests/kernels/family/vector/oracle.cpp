// What the added kernels must give.

#include "conformance/launch.hpp"

namespace quoin::conformance {
namespace {

template <class T>
void axpy_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "axpy", grid_variations(), {{"a", 1.0 / 3.0}}, [](const DeclaredLaunch<T>& l) {
    const View<T> x = l.view("x"), y = l.view("y");
    every_node(l.box, [&, a = l.real("a")](auto i, auto j) { y(i, j) = std::fma(a, x(i, j), y(i, j)); });
  });
}

template <class T>
void dot_blocks_check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, "dot_blocks", grid_variations(), {}, [](const DeclaredLaunch<T>& l) {
    const auto product = [x = l.view("x"), y = l.view("y")](auto i, auto j) { return x(i, j) * y(i, j); };
    block_sums<T>(product, l.view("partials"), l.box);
  });
}

const RegisterOracles registered{{"axpy", axpy_check<double>, axpy_check<float>},
                                 {"dot_blocks", dot_blocks_check<double>, dot_blocks_check<float>}};

}  // namespace
}  // namespace quoin::conformance
