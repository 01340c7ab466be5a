#include "problems/jacobi/setup/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "problems/jacobi/setup/grid.hpp"
#include "quoin/error.hpp"

namespace quoin {

std::vector<Override> refine_jacobi(const Case& the_case, int level) {
  if (!the_case.has("problem.exact"))
    throw the_case.error_at("problem.exact", "the case has no exact solution to compare with; give problem.exact");
  for (const char* file : {"problem.diffusivity.file", "problem.reaction.file"})
    if (the_case.has(file))
      throw the_case.error_at(file, "an array belongs to one grid; a study of convergence needs a formula");
  // Halving keeps the nodes that are there.
  const auto finer = [level](std::int64_t nodes) { return ((nodes + 1) << level) - 1; };
  std::vector<std::int64_t> nodes = the_case.integers("problem.grid.nodes");
  std::ranges::transform(nodes, nodes.begin(), finer);
  return {{"problem.grid.nodes", fmt::format("[{}]", fmt::join(nodes, ", "))}};
}

/// The domain is the case's own, and so is its extent.
ExactField exact_jacobi(const Case& the_case, const std::string& field, Point /*extent*/) {
  const Grid grid(the_case);
  if (field != "u" || !the_case.has("problem.exact") || grid.in_space()) return nullptr;  // pictures are plane
  const auto formula = std::make_shared<const Expression>(grid.formula(the_case, "problem.exact"));
  return [formula](double x, double y, double /*time*/) { return (*formula)(x, y); };
}

}  // namespace quoin
