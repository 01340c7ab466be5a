/* An AIJ matrix and Jacobi's preconditioner with PETSc: Richardson iterations, which are Jacobi's method, or with
 * PEERS_CG conjugate gradients; or those with the multigrid that PEERS_AMG names, to a relative residual of 1e-8. */

#include <petscdmda.h>
#include <petscksp.h>

#include "problem.h"

static PetscErrorCode assemble(const Problem* p, DM grid, Mat matrix, Vec rhs) {
  PetscInt i0, j0, nx, ny;
  double** f;
  PetscFunctionBeginUser;
  PetscCall(DMDAGetCorners(grid, &i0, &j0, NULL, &nx, &ny, NULL));
  PetscCall(DMDAVecGetArray(grid, rhs, &f));
  for (PetscInt j = j0; j < j0 + ny; ++j) {
    for (PetscInt i = i0; i < i0 + nx; ++i) {
      const MatStencil row = {.i = i, .j = j};
      const MatStencil near[] = {
          {.i = i, .j = j - 1}, {.i = i - 1, .j = j}, {.i = i + 1, .j = j}, {.i = i, .j = j + 1}};
      MatStencil columns[5] = {row};
      PetscScalar values[5] = {p->diagonal};
      PetscInt count = 1;
      for (int k = 0; k < 4; ++k) {
        if (near[k].i < 0 || near[k].i >= p->nodes || near[k].j < 0 || near[k].j >= p->nodes) continue;
        values[count] = p->beside;
        columns[count++] = near[k];
      }
      PetscCall(MatSetValuesStencil(matrix, 1, &row, count, columns, values, INSERT_VALUES));
      f[j][i] = source(p, (int)i, (int)j);
    }
  }
  PetscCall(DMDAVecRestoreArray(grid, rhs, &f));
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

#ifdef PEERS_AMG
/* From the assembled matrix to the solution. */
static PetscErrorCode solve(KSP solver, Vec rhs, Vec u, Problem* p, double* norm, double* seconds) {
  PC preconditioner;
  PetscInt iterations;
  PetscFunctionBeginUser;
  PetscCall(KSPGetPC(solver, &preconditioner));
  PetscCall(PCSetType(preconditioner, PEERS_AMG));
  PetscCall(KSPSetTolerances(solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, p->iterations));
  PetscCall(KSPSetFromOptions(solver));
  MPI_Barrier(PETSC_COMM_WORLD);
  const double begin = MPI_Wtime();
  PetscCall(KSPSetUp(solver));
  PetscCall(KSPSolve(solver, rhs, u));
  MPI_Barrier(PETSC_COMM_WORLD);
  *seconds = MPI_Wtime() - begin;
  PetscCall(KSPGetResidualNorm(solver, norm));
  PetscCall(KSPGetIterationNumber(solver, &iterations));
  p->iterations = (int)iterations;
  PetscFunctionReturn(0);
}
#else
/* The iterations alone. */
static PetscErrorCode solve(KSP solver, Vec rhs, Vec u, Problem* p, double* norm, double* seconds) {
  PC preconditioner;
  double* norms;
  PetscFunctionBeginUser;
  PetscCall(KSPGetPC(solver, &preconditioner));
  PetscCall(PCSetType(preconditioner, PCJACOBI));
  PetscCall(KSPSetConvergenceTest(solver, KSPConvergedSkip, NULL, NULL));
  PetscCall(KSPSetUp(solver));
  PetscCall(PetscMalloc1(p->iterations + 1, &norms));
  for (int warm = 0; warm < 2; ++warm) { /* the first one touches every vector once */
    PetscCall(KSPSetTolerances(solver, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, warm == 0 ? 1 : p->iterations));
    PetscCall(KSPSetResidualHistory(solver, norms, p->iterations + 1, PETSC_TRUE));
    MPI_Barrier(PETSC_COMM_WORLD);
    const double begin = MPI_Wtime();
    PetscCall(KSPSolve(solver, rhs, u));
    MPI_Barrier(PETSC_COMM_WORLD);
    *seconds = MPI_Wtime() - begin;
  }
  *norm = norms[p->iterations];
  PetscCall(PetscFree(norms));
  PetscFunctionReturn(0);
}
#endif

int main(int argc, char** argv) {
  Problem p = problem_of(argc, argv);
  DM grid;
  Mat matrix;
  Vec rhs, u;
  KSP solver;
  double norm = 0.0;
  double seconds = 0.0;
  char version[64];
  PetscInt major, minor, patch;
  PetscCall(PetscInitialize(NULL, NULL, NULL, NULL));
  PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, p.nodes, p.nodes,
                         PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, &grid));
  PetscCall(DMSetUp(grid));
  PetscCall(DMSetMatType(grid, MATAIJ));
  PetscCall(DMCreateMatrix(grid, &matrix));
  PetscCall(DMCreateGlobalVector(grid, &rhs));
  PetscCall(VecDuplicate(rhs, &u));
  PetscCall(assemble(&p, grid, matrix, rhs));

  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
#ifdef PEERS_CG
  PetscCall(KSPSetType(solver, KSPCG));
#else
  PetscCall(KSPSetType(solver, KSPRICHARDSON));
#endif
  PetscCall(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
  PetscCall(solve(solver, rhs, u, &p, &norm, &seconds));
  PetscCall(PetscGetVersionNumber(&major, &minor, &patch, NULL));
  snprintf(version, sizeof version, "PETSc %d.%d.%d", (int)major, (int)minor, (int)patch);
  report(&p, version, seconds, norm);

  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&u));
  PetscCall(VecDestroy(&rhs));
  PetscCall(MatDestroy(&matrix));
  PetscCall(DMDestroy(&grid));
  PetscCall(PetscFinalize());
  return 0;
}
