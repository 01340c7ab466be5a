#include "problems/tolerances.hpp"

#include <fmt/format.h>

namespace quoin {
namespace {

double given_or(const Case& the_case, const char* path, double fallback) {
  return the_case.has(path) ? the_case.real(path) : fallback;
}

}  // namespace

Tolerances tolerances_of(const Case& the_case) {
  constexpr double default_tolerance = 1e-8;
  return {given_or(the_case, "method.tolerance", 0.0),
          given_or(the_case, "method.relative_tolerance", the_case.has("method.tolerance") ? 0.0 : default_tolerance)};
}

std::vector<Override> scale_tolerances(const Case& the_case, double factor) {
  const Tolerances tolerances = tolerances_of(the_case);
  std::vector<Override> changes;
  const auto add = [&](const char* path, double tolerance) {
    if (tolerance > 0.0) changes.push_back({path, fmt::format("{}", factor * tolerance)});
  };
  add("method.tolerance", tolerances.absolute);
  add("method.relative_tolerance", tolerances.relative);
  return changes;
}

}  // namespace quoin
