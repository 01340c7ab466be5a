#include "problems/dgcvs/setup/refinement.hpp"

#include <algorithm>
#include <memory>

#include "problems/dgcvs/setup/state_formula.hpp"
#include "quoin/error.hpp"

namespace quoin {

/// A generated mesh gets twice the cells a level, one from a file is refined.
std::vector<Override> refine_dgcvs(const Case& the_case, int level) {
  if (!ExactSolution::given(the_case))
    throw the_case.error_at("problem.type", "the case has no exact solution to compare with; give problem.exact");
  if (the_case.text("problem.mesh.type") == "gmsh")
    return {{"problem.mesh.refine", std::to_string(the_case.integer("problem.mesh.refine") + level)}};
  const auto cells = the_case.integers("problem.mesh.cells");
  const auto times = [&](std::int64_t n) { return std::to_string(n << static_cast<unsigned>(level)); };
  return {{"problem.mesh.cells", "[" + times(cells[0]) + ", " + times(cells[1]) + "]"}};
}

ExactField exact_dgcvs(const Case& the_case, const std::string& field, Point extent) {
  if (!ExactSolution::given(the_case)) return nullptr;
  struct Kept {  // what points into the case and the law, with them
    explicit Kept(const Case& given, Point size)
        : own(given), law(own), solution(own, law, formula_constants(own, size)) {}
    Case own;
    HostLaw law;
    ExactSolution solution;
  };
  const auto kept = std::make_shared<const Kept>(the_case, extent);
  const auto& variables = kept->law.variables();
  const auto found = std::ranges::find(variables, field);
  if (found == variables.end()) return nullptr;
  return [kept, v = static_cast<std::size_t>(found - variables.begin())](double x, double y, double time) {
    return kept->solution.at({x, y}, time)[v];
  };
}

}  // namespace quoin
