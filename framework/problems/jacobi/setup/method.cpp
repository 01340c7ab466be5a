#include "problems/jacobi/setup/method.hpp"

#include "problems/jacobi/setup/medium.hpp"
#include "problems/tolerances.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

JacobiSolver solver_of(const std::string& name) {
  if (name == "chebyshev") return JacobiSolver::chebyshev;
  return name == "multigrid" ? JacobiSolver::multigrid : JacobiSolver::jacobi;
}

JacobiVariant variant_of(const std::string& name) {
  if (name == "classic") return JacobiVariant::classic;
  if (name == "fused") return JacobiVariant::fused;
  return name == "blocked" ? JacobiVariant::blocked : JacobiVariant::fastest;
}

}  // namespace

JacobiMethod::JacobiMethod(const Case& the_case)
    : solver(solver_of(the_case.text("method.solver"))),
      variant(variant_of(the_case.text("method.variant"))),
      precision(the_case.text("method.precision") == "float" ? Precision::float32 : Precision::float64),
      max_iterations(the_case.integer("method.max_iterations")),
      check_every(the_case.integer("method.check_every")),
      stops_on_tolerance(the_case.text("method.stop") == "tolerance"),
      tolerance(tolerances_of(the_case).absolute),
      relative_tolerance(tolerances_of(the_case).relative),
      seed_norm(the_case.text("method.residual_norm") == "seed") {
  if (solver == JacobiSolver::multigrid && variant == JacobiVariant::classic)
    throw the_case.error_at(
        "method.variant", "multigrid has no classic variant; choose auto, fused or blocked, or another method.solver");
}

/// The passes of several sweeps are what backends have settings for.
std::string JacobiMethod::tuning_key(const Case& the_case) {
  const std::string& variant = the_case.text("method.variant");
  if (variant == "classic" || variant == "fused" || beyond_poisson(the_case)) return {};
  const auto nodes = the_case.integers("problem.grid.nodes");
  if (nodes.size() == 3) return {};
  return std::to_string(nodes[0]) + " x " + std::to_string(nodes[1]) + " nodes in " + the_case.text("method.precision");
}

std::vector<Override> JacobiMethod::limit_iterations(std::int64_t iterations) {
  return {{"method.stop", "iterations"}, {"method.max_iterations", std::to_string(iterations)}};
}

}  // namespace quoin
