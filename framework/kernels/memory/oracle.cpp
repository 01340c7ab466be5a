// Integers to which points add, each to one of its own or all to the same.

#include "conformance/launch.hpp"

namespace quoin::conformance::memory {
namespace {

/// How often each point adds, and how far its elements are from each other.
struct Adding {
  std::int64_t rounds, apart;
};

/// Vectors, too, and a launch of more points than a device has lanes.
std::vector<Variation> planes_and_vectors() {
  std::vector<Variation> list = grid_variations();
  for (const std::int64_t n : {1, 63, 64, 65, 6144, 70001})
    for (const Style style : {Style::native, Style::odd})
      list.push_back({{std::to_string(n) + " integers", n, 1, Box::line(n), style}});
  return list;
}

template <class T>
void check_adding(DeviceUnderTest& bench, Cases& cases, std::string_view kernel, const Adding& adding) {
  const std::string how =
      ", " + std::to_string(adding.rounds) + (adding.apart == 0 ? " rounds to one element" : " rounds");
  std::vector<Variation> variations = planes_and_vectors();
  for (Variation& variation : variations) variation.grid.name += how;
  const Numbers numbers{
      {"value", 3.0}, {"rounds", static_cast<double>(adding.rounds)}, {"apart", static_cast<double>(adding.apart)}};
  check_formula<T>(bench, cases, kernel, variations, numbers, [&](const DeclaredLaunch<T>& l) {
    const View<std::int32_t> x = l.indices("x").view();
    every_node(l.box, [&](auto i, auto j) {
      x(adding.apart * i, adding.apart * j) += static_cast<std::int32_t>(3 * adding.rounds);
    });
  });
}

template <class T>
void add_check(DeviceUnderTest& bench, Cases& cases) {
  for (const std::int64_t rounds : {1, 0, 5}) check_adding<T>(bench, cases, "memory_add", {rounds, 1});
}

template <class T>
void atomic_add_check(DeviceUnderTest& bench, Cases& cases, std::string_view kernel) {
  for (const Adding& adding : {Adding{1, 1}, {5, 1}, {1, 0}, {5, 0}, {0, 1}})
    check_adding<T>(bench, cases, kernel, adding);
}
template <class T>
void device_check(DeviceUnderTest& bench, Cases& cases) {
  atomic_add_check<T>(bench, cases, "memory_atomic_add");
}
template <class T>
void shared_check(DeviceUnderTest& bench, Cases& cases) {
  atomic_add_check<T>(bench, cases, "memory_shared_add");
}

const RegisterOracles registered{{"memory_add", add_check<double>, add_check<float>},
                                 {"memory_atomic_add", device_check<double>, device_check<float>},
                                 {"memory_shared_add", shared_check<double>, shared_check<float>}};

}  // namespace
}  // namespace quoin::conformance::memory
