#include "problems/linear_system/setup/keys.hpp"

#include "problems/linear_system/setup/generators.hpp"

namespace quoin {

std::vector<Key> linear_system_keys() {
  constexpr double most_iterations = 1e9;
  constexpr double most_degree = 1e6;
  const Condition power_law{"problem.matrix.generator", {"power-law"}};
  const Condition poisson{"problem.matrix.generator", {"poisson"}};
  return {
      {.path = "problem.matrix.file",
       .type = KeyType::text,
       .meaning = "Matrix Market file (.mtx, or .mtx.gz) of a square matrix, relative to the case file. Either this or "
                  "problem.matrix.generator.",
       .shorthand = true},
      {.path = "problem.matrix.duplicates",
       .type = KeyType::choice,
       .fallback = "refuse",
       .meaning =
           "What to do with a place of the matrix that the file has more than once: end the run (refuse), or add "
           "its values in the order of the file (sum).",
       .choices = {"refuse", "sum"}},
      {.path = "problem.matrix.generator",
       .type = KeyType::choice,
       .meaning =
           "The Laplacian of a grid with zeros around it (poisson); the same in the plane with a flow "
           "(convection-diffusion); 2 on the diagonal and -1 beside it (tridiagonal); or the number of rows on "
           "the diagonal and 1 in the first row and column (arrow); the Laplacian of a graph in which few rows have "
           "very many neighbours, plus 1 (power-law); or the matrix of the benchmark HPCG, which is poisson of 27 "
           "points, with b = A x for x = 1 unless the case says otherwise (hpcg).",
       .choices = {"poisson", "convection-diffusion", "tridiagonal", "arrow", "power-law", "hpcg"}},
      {.path = "problem.matrix.nodes",
       .type = KeyType::integers,
       .required = true,
       .meaning = "Nodes along x and y, or (poisson, hpcg) along x, y and z.",
       .minimum = 1.0,
       .maximum = static_cast<double>(most_rows),
       .count = 2,
       .count_at_most = 3,
       .when = {"problem.matrix.generator", {"poisson", "convection-diffusion", "hpcg"}}},
      {.path = "problem.matrix.velocity",
       .type = KeyType::reals,
       .required = true,
       .meaning = "Velocity of the flow along x and y times the distance of nodes over the diffusivity; differences "
                  "are upwind.",
       .count = 2,
       .when = {"problem.matrix.generator", {"convection-diffusion"}}},
      {.path = "problem.matrix.points",
       .type = KeyType::integer,
       .meaning =
           "Points of the stencil, all but the centre -1: 5 or 9 in the plane, 7 or 27 in space; the fewer unless "
           "given.",
       .minimum = 5.0,
       .maximum = 27.0,
       .when = poisson},
      {.path = "problem.matrix.coefficient",
       .type = KeyType::expression,
       .meaning =
           "k of -div (k grad u), positive: a formula in x, y and, in space, z, whose value half way between two nodes "
           "stands in place of 1 for them. Nodes lie at multiples of the same distance along all axes, from 0 to 1 "
           "along x. For 5 or 7 points.",
       .when = poisson,
       .space = true},
      {.path = "problem.matrix.anisotropy",
       .type = KeyType::reals,
       .meaning = "Factors of the coefficients along x and y, or x, y and z. For 5 or 7 points.",
       .minimum = 1e-12,
       .maximum = 1e12,
       .count = 2,
       .count_at_most = 3,
       .when = poisson},
      {.path = "problem.matrix.rows",
       .type = KeyType::integer,
       .required = true,
       .meaning = "Rows of the matrix.",
       .minimum = 1.0,
       .maximum = static_cast<double>(most_rows),
       .when = {"problem.matrix.generator", {"tridiagonal", "arrow", "power-law"}}},
      {.path = "problem.matrix.degree",
       .type = KeyType::integer,
       .required = true,
       .meaning = "Neighbours that are drawn for a row on average; those drawn twice and the row itself fall away.",
       .minimum = 1.0,
       .maximum = most_degree,
       .when = power_law},
      {.path = "problem.matrix.seed",
       .type = KeyType::integer,
       .fallback = "1",
       .meaning = "Another seed draws other neighbours; the same seed the same ones on every machine.",
       .minimum = 0.0,
       .maximum = 4294967295.0,
       .when = power_law},
      {.path = "problem.rhs.values",
       .type = KeyType::choice,
       .meaning =
           "Every element of the right-hand side b is 1 (ones), as it is where nothing is said of it, but for the "
           "matrix hpcg.",
       .choices = {"ones"},
       .shorthand = true},
      {.path = "problem.rhs.file",
       .type = KeyType::text,
       .meaning = "Matrix Market file of b, a matrix of one column, relative to the case file."},
      {.path = "problem.rhs.expression",
       .type = KeyType::expression,
       .meaning = "The elements of b are the values of a formula in x, y and, in space, z at the nodes of poisson, "
                  "convection-diffusion or hpcg: multiples of the same distance along all axes, from 0 to 1 along x.",
       .space = true},
      {.path = "problem.rhs.solution",
       .type = KeyType::choice,
       .meaning =
           "b = A x for a known x, whose difference to the computed one the run reports: ones, or numbers from -1 "
           "to 1 that are the same on every machine (random).",
       .choices = {"ones", "random"}},
      {.path = "problem.rhs.solution_file",
       .type = KeyType::text,
       .meaning = "Matrix Market file of such an x, relative to the case file."},
      {.path = "problem.initial.values",
       .type = KeyType::choice,
       .meaning = "The iterations start from x = 0 (zero), as they do where nothing is said of it.",
       .choices = {"zero"},
       .shorthand = true},
      {.path = "problem.initial.file",
       .type = KeyType::text,
       .meaning =
           "Matrix Market file of the x to start from, relative to the case file. Where b is 0, so is x at once."},
      {.path = "method.solver",
       .type = KeyType::choice,
       .fallback = "cg",
       .meaning = "Conjugate gradients (cg), for matrices that are symmetric and positive definite; for any square "
                  "matrix bicgstab, with two products an iteration and few vectors, gmres, whose residual never grows, "
                  "but which keeps a vector an iteration, cgs, whose residual swings more than that of bicgstab, or "
                  "bicg, which stores the transpose of the matrix as well; x = x + damping M r (richardson), with "
                  "jacobi as M Jacobi's method.",
       .choices = {"cg", "bicgstab", "gmres", "cgs", "bicg", "richardson"}},
      {.path = "method.damping",
       .type = KeyType::real,
       .fallback = "1",
       .meaning = "Of richardson: what a correction is multiplied by.",
       .minimum = 0.0,
       .above_minimum = true,
       .when = {"method.solver", {"richardson"}}},
      {.path = "method.restart",
       .type = KeyType::integer,
       .fallback = "30",
       .meaning = "gmres starts again from the newest x after so many iterations: it keeps so many vectors and one.",
       .unit = "iterations",
       .minimum = 1.0,
       .maximum = 1000.0,
       .when = {"method.solver", {"gmres"}}},
      {.path = "method.preconditioner.type",
       .type = KeyType::choice,
       .fallback = "jacobi",
       .meaning =
           "None, the inverse of the diagonal (jacobi), those of blocks on the diagonal (block-jacobi), incomplete "
           "factors of the matrix (ilu), or a cycle of algebraic multigrid by smoothed aggregation (amg).",
       .choices = {"none", "jacobi", "block-jacobi", "ilu", "amg"},
       .shorthand = true},
      {.path = "method.preconditioner.block",
       .type = KeyType::integer,
       .fallback = "8",
       .meaning = "Rows of a block at most.",
       .minimum = 1.0,
       .maximum = 32.0,
       .when = {"method.preconditioner.type", {"block-jacobi"}}},
      {.path = "method.preconditioner.blocks",
       .type = KeyType::choice,
       .fallback = "natural",
       .meaning = "Whether blocks are cut off after so many rows (natural), or earlier where they would part rows that "
                  "have their entries in the same columns, as those of the unknowns of a node (supervariable).",
       .choices = {"natural", "supervariable"},
       .when = {"method.preconditioner.type", {"block-jacobi"}}},
      {.path = "method.preconditioner.factor",
       .type = KeyType::choice,
       .fallback = "parilu",
       .meaning =
           "Whether the factors are made by elimination on the host (exact) or by sweeps over all entries at once "
           "(parilu).",
       .choices = {"parilu", "exact"},
       .when = {"method.preconditioner.type", {"ilu"}}},
      {.path = "method.preconditioner.sweeps",
       .type = KeyType::integer,
       .fallback = "5",
       .meaning = "Of parilu.",
       .unit = "sweeps",
       .minimum = 0.0,
       .maximum = 1000.0,
       .when = {"method.preconditioner.factor", {"parilu"}}},
      {.path = "method.preconditioner.solve",
       .type = KeyType::choice,
       .fallback = "sweeps",
       .meaning = "Whether triangular systems are solved by sweeps of Jacobi's method, or exactly, level by level "
                  "(levels): a launch for each of what may be thousands of levels, one after the other.",
       .choices = {"sweeps", "levels"},
       .when = {"method.preconditioner.type", {"ilu"}}},
      {.path = "method.preconditioner.solve_sweeps",
       .type = KeyType::integer,
       .fallback = "4",
       .meaning = "Sweeps in place of each solution of a triangular system.",
       .unit = "sweeps",
       .minimum = 1.0,
       .maximum = 1000.0,
       .when = {"method.preconditioner.solve", {"sweeps"}}},
      {.path = "method.preconditioner.strength",
       .type = KeyType::real,
       .fallback = "0.08",
       .meaning = "Entries a(i, j) tie rows to an aggregate where |a(i, j)| is more than this times the root of "
                  "|a(i, i) a(j, j)|. It is halved from level to level.",
       .minimum = 0.0,
       .maximum = 1.0,
       .when = {"method.preconditioner.type", {"amg"}}},
      {.path = "method.format",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning =
           "How the matrix is stored: row by row (csr), in slices of 32 rows side by side (sell), all rows side by "
           "side (ell), entry by entry with its row (coo), side by side as far as four of five rows reach and the "
           "rest entry by entry (hybrid), or by rows or slices as suits the matrix and the device (auto). It "
           "makes no difference to the results.",
       .choices = {"auto", "csr", "sell", "ell", "coo", "hybrid"}},
      {.path = "method.share",
       .type = KeyType::choice,
       .fallback = "auto",
       .meaning = "Whether slices whose coefficients, or places of entries, are equal are stored once: as long as no "
                  "more than 100,000 differ (auto), all of them (on), or none (off). It makes no difference to the "
                  "results.",
       .choices = {"auto", "on", "off"},
       .when = {"method.format", {"auto", "sell"}}},
      {.path = "method.tolerance",
       .type = KeyType::real,
       .meaning = "The run has converged once the norm of b - A x, the root of the sum of squares, is at most this.",
       .minimum = 0.0,
       .above_minimum = true,
       .changeable = true},
      {.path = "method.relative_tolerance",
       .type = KeyType::real,
       .meaning = "The run has converged once the norm of b - A x is at most this times that of b. 1e-8 where neither "
                  "this nor method.tolerance is given; where both are, the one that is met first counts.",
       .minimum = 0.0,
       .maximum = 1.0,
       .above_minimum = true,
       .changeable = true},
      {.path = "method.max_iterations",
       .type = KeyType::integer,
       .fallback = "10000",
       .meaning = "The run ends after this many iterations at the latest.",
       .unit = "iterations",
       .minimum = 1.0,
       .maximum = most_iterations,
       .changeable = true},
      {.path = "method.precision",
       .type = KeyType::choice,
       .fallback = "double",
       .meaning = "Arithmetic of the kernels and of the stored matrix and vectors.",
       .choices = {"double", "float"}},
      {.path = "output.fields.hdf5",
       .type = KeyType::boolean,
       .fallback = "false",
       .meaning =
           "Write x to x.h5 as well, in double, as the array fields/x: of as many numbers as there are nodes along "
           "z, y and x, or, for matrices without nodes, of one a row."},
  };
}

std::vector<Override> linear_system_starter() {
  return {{"problem.matrix.generator", "poisson"},  {"problem.matrix.nodes", "[128, 128]"},
          {"problem.rhs.solution", "random"},       {"method.solver", "cg"},
          {"method.preconditioner.type", "jacobi"}, {"method.relative_tolerance", "1e-8"}};
}

}  // namespace quoin
