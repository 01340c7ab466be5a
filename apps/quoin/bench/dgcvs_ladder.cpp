#include "bench/dgcvs_ladder.hpp"

#include <fmt/format.h>

namespace quoin::bench::dgcvs {
namespace {

constexpr int side = 40;  // cells

// All run for 200 steps. Burgers' are short, for a shock would be the end of them long before; what a step costs does
// not depend on its length.
constexpr const char* burgers = R"yaml(
  equation: burgers
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {{final_time: 0.15, cfl: 0.02, max_steps: 200, order: {}}}
)yaml";
constexpr const char* linear = R"yaml(
  equation: {{type: advection, velocity: [1, 0.5]}}
  initial: "sin(pi*x)*sin(pi*y)"
method: {{final_time: 100, max_steps: 200, order: {}, solver: {}}}
)yaml";

}  // namespace

std::string squares(int cells, double perturb) {
  return fmt::format(R"yaml(problem:
  type: dg-cvs
  mesh: {{cells: [{0}, {0}], perturb: {1}}}
  domain: {{x: [-1, 1], y: [-1, 1]}}
  boundary: {{left: periodic, right: periodic, bottom: periodic, top: periodic}})yaml",
                     cells, perturb);
}

std::vector<BenchCase> ladder() {
  std::vector<BenchCase> cases;
  const auto add = [&](const char* name, const auto& text) {
    for (int p = 1; p <= 3; ++p) cases.push_back({fmt::format("{}-p{}", name, p), text(p)});
  };
  add("burgers", [](int p) { return squares(side) + fmt::format(burgers, p); });
  add("linear", [](int p) { return squares(side) + fmt::format(linear, p, "sweeps"); });
  add("linear-perturbed", [](int p) { return squares(side, 0.2) + fmt::format(linear, p, "sweeps"); });
  add("linear-matrices", [](int p) { return squares(side) + fmt::format(linear, p, "matrices"); });
  return cases;
}

}  // namespace quoin::bench::dgcvs
