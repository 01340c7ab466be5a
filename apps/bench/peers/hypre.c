/* Jacobi's method with hypre's structured grids: the rows of nodes are shared by the processes. */

#include <HYPRE_config.h>
#include <HYPRE_struct_ls.h>
#include <HYPRE_utilities.h>

#include "problem.h"

/* hypre keeps its errors until they are asked for. */
static void check(void) {
  if (HYPRE_GetError() == 0) return;
  fprintf(stderr, "hypre failed with error %d\n", HYPRE_GetError());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static double* values_of(HYPRE_Int count) {
  double* values = calloc((size_t)count, sizeof *values);
  if (values == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return values;
}

int main(int argc, char** argv) {
  const Problem p = problem_of(argc, argv);
  MPI_Init(NULL, NULL);
  HYPRE_Init();
  int rank = 0;
  int processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  HYPRE_Int lower[] = {0, (HYPRE_Int)((long)p.nodes * rank / processes)};
  HYPRE_Int upper[] = {p.nodes - 1, (HYPRE_Int)((long)p.nodes * (rank + 1) / processes) - 1};
  const HYPRE_Int points = p.nodes * (upper[1] - lower[1] + 1);

  HYPRE_StructGrid grid;
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 2, &grid);
  HYPRE_StructGridSetExtents(grid, lower, upper);
  HYPRE_StructGridAssemble(grid);

  HYPRE_StructStencil stencil;
  HYPRE_Int offsets[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  HYPRE_StructStencilCreate(2, 5, &stencil);
  for (HYPRE_Int k = 0; k < 5; ++k) HYPRE_StructStencilSetElement(stencil, k, offsets[k]);

  HYPRE_StructMatrix matrix;
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix);
  HYPRE_StructMatrixInitialize(matrix);
  double* values = values_of(points);
  for (HYPRE_Int k = 0; k < 5; ++k) {
    for (HYPRE_Int n = 0; n < points; ++n) {
      const HYPRE_Int i = n % p.nodes + offsets[k][0];
      const HYPRE_Int j = lower[1] + n / p.nodes + offsets[k][1];
      const int inside = i >= 0 && i < p.nodes && j >= 0 && j < p.nodes;
      values[n] = k == 0 ? p.diagonal : inside ? p.beside : 0.0;
    }
    HYPRE_StructMatrixSetBoxValues(matrix, lower, upper, 1, &k, values);
  }
  HYPRE_StructMatrixAssemble(matrix);

  HYPRE_StructVector rhs, u;
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &rhs);
  HYPRE_StructVectorInitialize(rhs);
  double square = 0.0; /* of the norm of f, which hypre's norms are relative to */
  for (HYPRE_Int n = 0; n < points; ++n) {
    values[n] = source(&p, n % p.nodes, lower[1] + n / p.nodes);
    square += values[n] * values[n];
  }
  MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  HYPRE_StructVectorSetBoxValues(rhs, lower, upper, values);
  HYPRE_StructVectorAssemble(rhs);
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &u);
  HYPRE_StructVectorInitialize(u);
  HYPRE_StructVectorAssemble(u);
  free(values);

  HYPRE_StructSolver solver;
  HYPRE_StructJacobiCreate(MPI_COMM_WORLD, &solver);
  HYPRE_StructJacobiSetTol(solver, 1e-300); /* above 0, or no norms would be taken */
  HYPRE_StructJacobiSetup(solver, matrix, rhs, u);
  double seconds = 0.0;
  for (int warm = 0; warm < 2; ++warm) { /* the first one touches every vector once */
    HYPRE_StructVectorSetConstantValues(u, 0.0);
    HYPRE_StructJacobiSetMaxIter(solver, warm == 0 ? 1 : p.iterations);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    HYPRE_StructJacobiSolve(solver, matrix, rhs, u);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime() - begin;
  }
  double relative = 0.0;
  HYPRE_StructJacobiGetFinalRelativeResidualNorm(solver, &relative);
  check();
  report(&p, "hypre " HYPRE_RELEASE_VERSION, seconds, relative * sqrt(square));

  HYPRE_StructJacobiDestroy(solver);
  HYPRE_StructVectorDestroy(u);
  HYPRE_StructVectorDestroy(rhs);
  HYPRE_StructMatrixDestroy(matrix);
  HYPRE_StructStencilDestroy(stencil);
  HYPRE_StructGridDestroy(grid);
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}
