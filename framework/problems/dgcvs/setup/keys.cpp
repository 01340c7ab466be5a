#include "problems/dgcvs/setup/keys.hpp"

#include <utility>

#include "problems/dgcvs/setup/method_keys.hpp"
#include "problems/samples.hpp"

namespace quoin {
namespace {

/// A state: one formula, or one for each variable of shallow water.
void add_state(std::vector<Key>& keys, const std::string& path, const std::string& meaning) {
  const auto formula = [&](const std::string& variable, const std::string& what) {
    return Key{.path = path + "." + variable, .type = KeyType::expression, .meaning = meaning + what};
  };
  Key scalar = formula("u", ": u, of a law with one variable.");
  scalar.shorthand = true;
  keys.push_back(scalar);
  keys.push_back(formula("eta", ": the surface, depth and bed, of shallow water over a bed, in place of h."));
  keys.push_back(formula("h", ": the depth, of shallow water."));
  keys.push_back(formula("hu", ": depth times velocity along x."));
  keys.push_back(formula("hv", ": depth times velocity along y."));
}

void add_equation(std::vector<Key>& keys) {
  const Condition of_water{"problem.equation.type", {"shallow_water"}};
  keys.push_back({.path = "problem.equation.type",
                  .type = KeyType::choice,
                  .required = true,
                  .meaning = "The conservation law: u_t + a u_x + b u_y = 0 (advection), u_t + (u^2/2)_x + (u^2/2)_y = "
                             "0 (burgers), or shallow water, over a flat bed or `problem.bed` (shallow_water).",
                  .choices = {"advection", "burgers", "shallow_water"},
                  .shorthand = true});
  keys.push_back({.path = "problem.equation.velocity",
                  .type = KeyType::reals,
                  .required = true,
                  .meaning = "Velocity (a, b) of the advection.",
                  .count = 2,
                  .when = {"problem.equation.type", {"advection"}}});
  keys.push_back({.path = "problem.equation.gravity",
                  .type = KeyType::real,
                  .fallback = "9.81",
                  .meaning = "Gravity.",
                  .minimum = 0.0,
                  .above_minimum = true,
                  .when = of_water});
  keys.push_back({.path = "problem.equation.manning",
                  .type = KeyType::real,
                  .fallback = "0",
                  .meaning = "Manning's coefficient n of friction at the bed: the force on a column of water is "
                             "g n^2 |u| u / h^(1/3).",
                  .minimum = 0.0,
                  .when = of_water});
  keys.push_back({.path = "problem.equation.chezy",
                  .type = KeyType::real,
                  .meaning = "Chezy's coefficient C of friction at the bed, in place of Manning's: the force on a "
                             "column of water is g |u| u / C^2.",
                  .minimum = 0.0,
                  .above_minimum = true,
                  .when = of_water});
  keys.push_back({.path = "problem.equation.rain",
                  .type = KeyType::real,
                  .fallback = "0",
                  .meaning = "Rain: depth that falls in a unit of time.",
                  .minimum = 0.0,
                  .when = of_water});
  keys.push_back({.path = "problem.bed.formula",
                  .type = KeyType::expression,
                  .meaning = "Height of the bed under the water, of x and y; flat at 0 where it is not given. With a "
                             "bed, friction or rain the surface eta = h + bed is a variable in place of the depth; "
                             "results have both, and ground may be dry.",
                  .shorthand = true,
                  .when = of_water});
  keys.push_back({.path = "problem.bed.file",
                  .type = KeyType::text,
                  .meaning =
                      "Heights of the bed in place of a formula, relative to the case file and bilinear between "
                      "them: an ESRI ASCII grid, whose heights are those at the centres of its cells, or an HDF5 "
                      "file (.h5) of the arrays x and y, ascending, and bed, rows of y.",
                  .when = of_water});
}

void add_mesh(std::vector<Key>& keys) {
  const Condition rectangle{"problem.mesh.type", {"rectangle"}};
  const Condition gmsh{"problem.mesh.type", {"gmsh"}};
  keys.push_back({.path = "problem.mesh.type",
                  .type = KeyType::choice,
                  .fallback = "rectangle",
                  .meaning = "A generated rectangle with the sides left, right, bottom and top, or a file of Gmsh.",
                  .choices = {"rectangle", "gmsh"}});
  keys.push_back({.path = "problem.mesh.cells",
                  .type = KeyType::integers,
                  .required = true,
                  .meaning = "Quadrilaterals along x and y.",
                  .minimum = 1.0,
                  .maximum = 65536.0,
                  .count = 2,
                  .when = rectangle});
  keys.push_back({.path = "problem.mesh.shape",
                  .type = KeyType::choice,
                  .fallback = "quad",
                  .meaning = "Cells: the quadrilaterals, or each cut into two triangles.",
                  .choices = {"quad", "tri"},
                  .when = rectangle});
  keys.push_back({.path = "problem.mesh.perturb",
                  .type = KeyType::real,
                  .fallback = "0",
                  .meaning = "Moves interior vertices by at most this share of the spacing, the same on every machine.",
                  .minimum = 0.0,
                  .maximum = 0.44,
                  .when = rectangle});
  keys.push_back(
      {.path = "problem.mesh.file",
       .type = KeyType::text,
       .required = true,
       .meaning =
           "Gmsh file (.msh 2.2, 4.0 or 4.1, ASCII or binary) of triangles and quadrilaterals with straight edges, "
           "relative to the case file; its physical curves are the sides, by their names or else their numbers.",
       .when = gmsh});
  keys.push_back({.path = "problem.mesh.refine",
                  .type = KeyType::integer,
                  .fallback = "0",
                  .meaning = "Cuts every cell into four, so many times.",
                  .minimum = 0.0,
                  .maximum = 12.0});
  for (const char* axis : {"x", "y"}) {
    keys.push_back({.path = std::string("problem.domain.") + axis,
                    .type = KeyType::reals,
                    .fallback = "[0, 1]",
                    .meaning = std::string(axis == std::string("x") ? "Left and right" : "Bottom and top") +
                               " end of the generated rectangle.",
                    .increasing = true,
                    .count = 2,
                    .when = rectangle});
  }
}

void add_output(std::vector<Key>& keys) {
  keys.push_back(every_key("output.fields.every", RunsBy::time,
                           "Write the fields at the start, and then each time that so much time of the simulation has "
                           "passed, as 0.1, or after so many steps, as 10 steps; at the end they are written in any "
                           "case."));
  keys.push_back(
      {.path = "output.fields.level",
       .type = KeyType::choice,
       .fallback = "cells",
       .meaning =
           "The polynomials of the cells, of the vertices (half a step earlier, and none at the start), or both.",
       .choices = {"cells", "vertices", "both"}});
  keys.push_back(
      {.path = "output.compression",
       .type = KeyType::choice,
       .fallback = "fast",
       .meaning = "Of the .vtu files: none, which takes the least time, fast, or best, for the fewest bytes.",
       .choices = {"none", "fast", "best"}});
  keys.push_back({.path = "output.history_every",
                  .type = KeyType::integer,
                  .fallback = "10",
                  .meaning = "Steps between rows of history.csv: time, mass, and the L2 norm of the coefficients.",
                  .unit = "steps",
                  .minimum = 1.0,
                  .maximum = 1e9});
  for (Key& key : sample_keys(RunsBy::time)) keys.push_back(std::move(key));
}

}  // namespace

std::vector<Key> dgcvs_keys() {
  std::vector<Key> keys;
  add_equation(keys);
  add_mesh(keys);
  const std::string sides = "periodic, dirichlet, exact, wall, open, stage and discharge";
  keys.push_back(
      {.path = "problem.boundary.*.type",
       .type = KeyType::choice,
       .required = true,
       .meaning = "What holds at the side of that name: it is joined to the opposite side (periodic), the state "
                  "outside is given by a formula (dirichlet) or is that of `problem.exact` (exact), nothing passes "
                  "(wall), everything does and what comes in is as it was at time 0 (open), or, of shallow water, its "
                  "surface (stage) or what comes in through all of it, onto dry ground as well (discharge, negative "
                  "for what goes out) is that of `series`.",
       .choices = {"periodic", "dirichlet", "exact", "wall", "open", "stage", "discharge"},
       .shorthand = true,
       .name_type = NameType::text,
       .hints = {{"neumann", "there is no side with a given flux; there are " + sides},
                 {"outflow", "write open"},
                 {"farfield", "write open, or dirichlet with the state far away"},
                 {"inflow", "write dirichlet, with the state that comes in as its value"},
                 {"reflecting", "write wall"},
                 {"symmetry", "write wall"},
                 {"slip", "write wall"}}});
  keys.push_back(
      {.path = "problem.boundary.*.with",
       .type = KeyType::text,
       .meaning = "The side that a periodic one is joined to; left and right, bottom and top find each other.",
       .when = {"problem.boundary.*.type", {"periodic"}}});
  keys.push_back({.path = "problem.boundary.*.series",
                  .type = KeyType::text,
                  .meaning = "CSV file of a time and a value a line, relative to the case file: the surface or the "
                             "discharge at that side, linear between the times, which go from 0 to the final time.",
                  .when = {"problem.boundary.*.type", {"stage", "discharge"}}});
  add_state(keys, "problem.boundary.*.value", "State outside a dirichlet side");
  add_state(keys, "problem.initial", "State at time 0");
  keys.push_back({.path = "problem.exact.u",
                  .type = KeyType::expression,
                  .meaning =
                      "Exact solution u of a law with one variable, or the word `characteristics`, which follows them "
                      "back to `initial`; where it is given, the run reports its error.",
                  .choices = {"characteristics"},
                  .shorthand = true});
  for (const char* variable : {"eta", "h", "hu", "hv"}) {
    keys.push_back({.path = std::string("problem.exact.") + variable,
                    .type = KeyType::expression,
                    .meaning = std::string("Exact solution ") + variable + " of shallow water."});
  }
  for (Key& key : dgcvs_method_keys()) keys.push_back(std::move(key));
  add_output(keys);
  return keys;
}

std::vector<Override> dgcvs_starter() {
  return {{"problem.equation.type", "advection"},
          {"problem.equation.velocity", "[1, 0.5]"},
          {"problem.mesh.cells", "[20, 20]"},
          {"problem.domain.x", "[-1, 1]"},
          {"problem.domain.y", "[-1, 1]"},
          {"problem.boundary.left", "periodic"},
          {"problem.boundary.right", "periodic"},
          {"problem.boundary.bottom", "periodic"},
          {"problem.boundary.top", "periodic"},
          {"problem.initial.u", "'sin(pi*x)*sin(pi*y)'"},
          {"problem.exact.u", "'sin(pi*(x-t))*sin(pi*(y-0.5*t))'"},
          {"method.order", "2"},
          {"method.final_time", "1"},
          {"output.fields.every", "0.25"}};
}

}  // namespace quoin
