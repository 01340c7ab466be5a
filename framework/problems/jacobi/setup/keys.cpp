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
               .space = true};
  };
  Key exact = formula("problem.exact",
                      "Exact solution in x, y and, in space, z; where it is given, the run reports its error.");
  exact.fallback.clear();
  exact.changeable = true;

  Key initial = formula("problem.initial.u", "Value of u before the first iteration, else 0.");
  initial.fallback.clear();
  initial.shorthand = true;
  const auto add_medium = [&](std::vector<Key>& keys, const std::string& path, const std::string& what,
                              const std::string& array) {
    Key key = formula(path + ".formula", what);
    key.fallback.clear();  // of a case whose defaults are written out a file may still take its place
    key.shorthand = true;
    keys.push_back(std::move(key));
    keys.push_back(
        {.path = path + ".file",
         .type = KeyType::text,
         .meaning = "HDF5 file with its values instead of a formula, relative to the case file: of the cells "
                    "between nodes, those of the sides among them, (ny + 1) rows of nx + 1, or nz + 1 such planes."});
    keys.push_back(
        {.path = path + ".array", .type = KeyType::text, .fallback = array, .meaning = "The array of that file."});
  };
  // Sides of a box that a rectangle does not have get no defaults, which would show where there is none.
  const auto add_side = [&](std::vector<Key>& keys, const std::string& name, bool in_space = false) {
    const std::string path = "problem.boundary." + name;
    const std::string only = in_space ? " In space, where it is a dirichlet side with u = 0 unless given." : "";
    const Condition robin{path + ".type", {"robin"}};
    keys.push_back(
        {.path = path + ".type",
         .type = KeyType::choice,
         .fallback = in_space ? "" : "dirichlet",
         .meaning = "What `value` is on the " + name +
                    " side: u (dirichlet); k du/dn, with n outward "
                    "(neumann); or k du/dn + coefficient u (robin). Without a value, what leaves there comes "
                    "in at the opposite side (periodic)." +
                    only,
         .choices = {"dirichlet", "neumann", "robin", "periodic"},
         .hints = {{"wall", "write neumann, whose value is 0 unless given"}}});
    Key value = formula(path + ".value", "u on the " + name + " side, or what else `type` says.");
    value.shorthand = true;
    if (in_space)
      value.fallback.clear();
    else
      value.when = {path + ".type", {"dirichlet", "neumann", "robin"}};
    for (const char* type : {"neumann", "robin", "periodic"})
      value.hints.push_back({type, std::string("write {type: ") + type + "}"});
    value.hints.push_back({"dirichlet", "write the value of u itself, such as 0"});
    value.hints.push_back({"wall", "write {type: neumann}, or the value of u there"});
    keys.push_back(std::move(value));
    Key coefficient = formula(path + ".coefficient", "That of a robin side, 0 or more.");
    coefficient.fallback.clear();
    coefficient.required = !in_space;
    coefficient.when = robin;
    keys.push_back(std::move(coefficient));
  };

  std::vector<Key> keys{
      {.path = "problem.grid.nodes",
       .type = KeyType::integers,
       .required = true,
       .meaning = "Nodes inside along x and y and, in space, z; those on the sides are not counted. In space one rank "
                  "solves.",
       .minimum = 1.0,
       .maximum = max_nodes,
       .count = 2,
       .count_at_most = 3},
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
      {.path = "problem.domain.z",
       .type = KeyType::reals,
       .meaning = "Back and front end of the box, in space; [0, 1] unless given.",
       .increasing = true,
       .count = 2},
      formula("problem.source", "Right-hand side f of -div(k grad u) + c u = f."),
      initial,
      exact,
      {.path = "method.solver",
       .type = KeyType::choice,
       .fallback = "jacobi",
       .meaning =
           "What an iteration is: a sweep of Jacobi's method; one whose weight is Chebyshev's (chebyshev), which "
           "takes about as many as there are nodes along a side, and residual norms go up and down; or a cycle "
           "of four sweeps on each of ever coarser grids (multigrid), of which about ten are enough, or more where the "
           "diffusivity jumps.",
       .choices = {"jacobi", "chebyshev", "multigrid"}},
      {.path = "method.variant",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning =
           "Kernels of a sweep: four as in the seed program (classic), all in one pass (fused), several sweeps in "
           "one pass (blocked), or the fastest that the backend has (auto); all give the same bits. "
           "Multigrid has no classic, and blocked for Poisson's equation in the plane with dirichlet sides alone. "
           "Beyond that equation only CPUs have blocked, and periodic sides have none.",
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
           "The norm of residuals: sqrt(sum r^2 dx dy), in space times dz (l2), or that divided by the number of nodes "
           "(seed), which "
           "gets smaller on finer grids: that of the program by AMD which the seed cases reproduce. At a node of a "
           "neumann or robin side r is what half a cell lacks, half as much as inside.",
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
  for (const char* name : {"left", "right", "bottom", "top"}) add_side(keys, name);
  for (const char* name : {"back", "front"}) add_side(keys, name, true);
  add_medium(keys, "problem.diffusivity",
             "k of -div(k grad u) + c u = f at the centres of cells, more than 0; 1 unless given.", "k");
  add_medium(keys, "problem.reaction",
             "c of -div(k grad u) + c u = f at the centres of cells, 0 or more; 0 unless given.", "c");
  keys.push_back(
      {.path = "problem.mean",
       .type = KeyType::real,
       .meaning =
           "Mean of u, 0 unless given, where nothing else says what its values are: with neumann or periodic sides all "
           "around and no reaction. Then source and sides must add up to 0, but for what the grid "
           "makes of it, which is taken from the source."});
  for (Key& key : sample_keys(RunsBy::iterations, /*in_space=*/true)) keys.push_back(std::move(key));
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
