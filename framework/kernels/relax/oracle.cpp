// Steps of smoothers and of triangular solves, operation by operation.

#include "conformance/recurrence.hpp"

namespace quoin::conformance::relax {
namespace {

/// z(i, j) = value(launch, i, j)
template <class T, class Value>
void check_map(DeviceUnderTest& bench, Cases& cases, const char* kernel, const char* result, Value&& value) {
  check_formula<T>(bench, cases, kernel, vector_variations(true), {}, [&](const DeclaredLaunch<T>& l) {
    const View<T> z = l.view(result);
    every_node(l.box, [&](auto i, auto j) { z(i, j) = value(l, i, j); });
  });
}

template <class T>
void start_check(DeviceUnderTest& bench, Cases& cases) {
  check_map<T>(bench, cases, "relax_start", "z",
               [](const auto& l, auto i, auto j) { return l.view("d")(i, j) * l.view("r")(i, j); });
}

template <class T>
void sweep_check(DeviceUnderTest& bench, Cases& cases) {
  check_map<T>(bench, cases, "relax_sweep", "z", [](const auto& l, auto i, auto j) {
    const T defect = l.view("r")(i, j) - l.view("w")(i, j);
    return std::fma(l.view("d")(i, j), defect, l.view("z")(i, j));
  });
}

template <class T>
void defect_check(DeviceUnderTest& bench, Cases& cases) {
  check_map<T>(bench, cases, "relax_defect", "w",
               [](const auto& l, auto i, auto j) { return l.view("r")(i, j) - l.view("w")(i, j); });
}

template <class T>
void correct_check(DeviceUnderTest& bench, Cases& cases) {
  check_map<T>(bench, cases, "relax_correct", "z",
               [](const auto& l, auto i, auto j) { return l.view("z")(i, j) + l.view("w")(i, j); });
}

const RegisterOracles registered{{"relax_start", start_check<double>, start_check<float>},
                                 {"relax_sweep", sweep_check<double>, sweep_check<float>},
                                 {"relax_defect", defect_check<double>, defect_check<float>},
                                 {"relax_correct", correct_check<double>, correct_check<float>}};

}  // namespace
}  // namespace quoin::conformance::relax
