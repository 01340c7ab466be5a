#include "problems/jacobi/setup/keys.hpp"

#include <utility>

#include "problems/samples.hpp"

namespace quoin {

std::vector<Key> jacobi_keys() {
  constexpr double max_nodes = 2147483648.0;          // a side; larger products fit into 64 bits
  constexpr double max_iterations = 1000000000000.0;  // a day at ten million a second

  const auto formula = [](std::string path, std::string meaning) {
    return Key{.path = std::move(path),
               .type = KeyType::expression,
               .fallback = "0",
               .meaning = std::move(meaning),
               .steady = true};
  };
  Key exact = formula("problem.exact", "Exact solution in x and y; where it is given, the run reports its error.");
  exact.fallback.clear();
  exact.changeable = true;

  Key initial = formula("problem.initial.u", "Value of u at the interior nodes before the first iteration, else 0.");
  initial.fallback.clear();
  initial.shorthand = true;
  const auto side = [&](const std::string& name) {
    Key key = formula("problem.boundary." + name, "Value of u on the " + name + " side.");
    key.hints = {{"neumann", "a given derivative is not offered; give the value of u there, such as 0"},
                 {"periodic", "joined sides are not offered; give the value of u there, such as 0"},
                 {"dirichlet", "write the value of u itself, such as 0"},
                 {"wall", "give the value of u there, such as 0"}};
    return key;
  };

  std::vector<Key> keys{
      {.path = "problem.grid.nodes",
       .type = KeyType::integers,
       .required = true,
       .meaning = "Interior nodes along x and y; the nodes on the sides are known and not counted.",
       .minimum = 1.0,
       .maximum = max_nodes,
       .count = 2},
      {.path = "problem.domain.x",
       .type = KeyType::reals,
       .fallback = "[0, 1]",
       .meaning = "Left and right end of the rectangle.",
       .increasing = true,
       .count = 2},
      {.path = "problem.domain.y",
       .type = KeyType::reals,
       .fallback = "[0, 1]",
       .meaning = "Bottom and top end of the rectangle.",
       .increasing = true,
       .count = 2},
      formula("problem.source", "Right-hand side f of -u_xx - u_yy = f."),
      side("left"),
      side("right"),
      side("bottom"),
      side("top"),
      initial,
      exact,
      {.path = "method.solver",
       .type = KeyType::choice,
       .fallback = "jacobi",
       .meaning =
           "What an iteration is: a sweep of Jacobi's method; one whose weight is Chebyshev's (chebyshev), which "
           "takes about as many as there are nodes along a side, and residual norms go up and down; or a cycle "
           "of four sweeps on each of ever coarser grids (multigrid), of which about ten are enough.",
       .choices = {"jacobi", "chebyshev", "multigrid"}},
      {.path = "method.variant",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning =
           "Kernels of a sweep: four as in the seed program (classic), all in one pass (fused), several sweeps in "
           "one pass (blocked), or the fastest that the backend has (auto); all give the same bits. "
           "Multigrid has no classic.",
       .choices = {"auto", "classic", "fused", "blocked"},
       .changeable = true},
      {.path = "method.precision",
       .type = KeyType::choice,
       .fallback = "double",
       .meaning = "Arithmetic of the kernels and of the stored fields.",
       .choices = {"double", "float"}},
      {.path = "method.tolerance",
       .type = KeyType::real,
       .meaning = "The run has converged once the residual norm of the field is at most this.",
       .minimum = 0.0,
       .above_minimum = true,
       .changeable = true},
      {.path = "method.relative_tolerance",
       .type = KeyType::real,
       .meaning = "The run has converged once the residual norm of the field is at most this times that of u = 0 with "
                  "the given "
                  "sides, from which a run starts unless problem.initial says otherwise. 1e-8 where neither this nor "
                  "method.tolerance is given; where both are, the one that is met first counts.",
       .minimum = 0.0,
       .maximum = 1.0,
       .above_minimum = true,
       .changeable = true},
      {.path = "method.residual_norm",
       .type = KeyType::choice,
       .fallback = "l2",
       .meaning =
           "The norm of residuals: sqrt(sum r^2 dx dy) (l2), or that divided by the number of nodes (seed), which "
           "gets smaller on finer grids: that of the program by AMD which the seed cases reproduce.",
       .choices = {"l2", "seed"}},
      {.path = "method.max_iterations",
       .type = KeyType::integer,
       .fallback = "1000",
       .meaning = "The run ends after this many iterations at the latest.",
       .unit = "iterations",
       .minimum = 1.0,
       .maximum = max_iterations,
       .changeable = true},
      {.path = "method.stop",
       .type = KeyType::choice,
       .fallback = "tolerance",
       .meaning = "Stop at the tolerance, or always do max_iterations (iterations).",
       .choices = {"tolerance", "iterations"},
       .changeable = true},
      {.path = "method.check_every",
       .type = KeyType::integer,
       .fallback = "1",
       .meaning = "Compare every k-th residual norm with the tolerance.",
       .unit = "iterations",
       .minimum = 1.0,
       .maximum = max_iterations,
       .changeable = true},
  };
  for (Key& key : sample_keys(RunsBy::iterations)) keys.push_back(std::move(key));
  return keys;
}

std::vector<Override> jacobi_starter() {
  return {{"problem.grid.nodes", "[63, 63]"},
          {"problem.domain.x", "[0, 1]"},
          {"problem.domain.y", "[0, 1]"},
          {"problem.source", "'2*pi^2*sin(pi*x)*sin(pi*y)'"},
          {"problem.boundary.left", "'0'"},
          {"problem.boundary.right", "'0'"},
          {"problem.boundary.bottom", "'0'"},
          {"problem.boundary.top", "'0'"},
          {"problem.exact", "'sin(pi*x)*sin(pi*y)'"},
          {"method.solver", "multigrid"},
          {"method.relative_tolerance", "1e-8"}};
}

}  // namespace quoin
