/* Products with an AIJ matrix by PETSc, whose processes have as many rows each. */

#include <petscmat.h>

#include "product.h"

_Static_assert(sizeof(PetscInt) == 4, "the files hold integers of 32 bits");

/* Rows `begin` to `end` of it are those of this process. */
static PetscErrorCode load(const char* folder, PetscInt begin, PetscInt end, PetscInt rows, Mat* matrix) {
  PetscInt *offsets, *columns;
  PetscScalar* values;
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(end - begin + 1, &offsets));
  read_elements(folder, "offsets", offsets, sizeof *offsets, begin, end - begin + 1);
  const PetscInt first = offsets[0];
  for (PetscInt row = 0; row <= end - begin; ++row) offsets[row] -= first;
  PetscCall(PetscMalloc2(offsets[end - begin], &columns, offsets[end - begin], &values));
  read_elements(folder, "columns", columns, sizeof *columns, first, offsets[end - begin]);
  read_elements(folder, "values", values, sizeof *values, first, offsets[end - begin]);
  PetscCall(MatCreate(PETSC_COMM_WORLD, matrix));
  PetscCall(MatSetSizes(*matrix, end - begin, end - begin, rows, rows));
  PetscCall(MatSetType(*matrix, MATAIJ));
  /* The one that is not of the matrix's type, which follows from the number of processes, does nothing. */
  PetscCall(MatSeqAIJSetPreallocationCSR(*matrix, offsets, columns, values));
  PetscCall(MatMPIAIJSetPreallocationCSR(*matrix, offsets, columns, values));
  PetscCall(PetscFree2(columns, values));
  PetscCall(PetscFree(offsets));
  PetscFunctionReturn(0);
}

static PetscErrorCode multiply(Mat matrix, Vec x, Vec y, int products, double* seconds) {
  PetscFunctionBeginUser;
  MPI_Barrier(PETSC_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int product = 0; product < products; ++product) PetscCall(MatMult(matrix, x, y));
  MPI_Barrier(PETSC_COMM_WORLD);
  *seconds = MPI_Wtime() - begin;
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  const PetscInt rows = rows_of(argc, argv);
  Mat matrix;
  Vec x, y;
  PetscInt begin, end, major, minor, patch;
  PetscScalar* elements;
  double seconds = 0.0;
  double norm = 0.0;
  char version[64];
  int rank, processes;
  PetscCall(PetscInitialize(NULL, NULL, NULL, NULL));
  PetscCall(VecCreate(PETSC_COMM_WORLD, &x));
  PetscCall(VecSetSizes(x, PETSC_DECIDE, rows));
  PetscCall(VecSetType(x, VECSTANDARD));
  PetscCall(VecDuplicate(x, &y));
  PetscCall(VecGetOwnershipRange(x, &begin, &end));
  PetscCall(VecGetArray(x, &elements));
  for (PetscInt i = begin; i < end; ++i) elements[i - begin] = x_at(i);
  PetscCall(VecRestoreArray(x, &elements));
  PetscCall(load(argv[1], begin, end, rows, &matrix));

  for (int warm = 0; warm < warm_products; ++warm) PetscCall(multiply(matrix, x, y, 1, &seconds));
  int products = products_of(seconds);
  MPI_Bcast(&products, 1, MPI_INT, 0, PETSC_COMM_WORLD);
  PetscCall(multiply(matrix, x, y, products, &seconds));
  PetscCall(VecNorm(y, NORM_2, &norm));
  PetscCall(PetscGetVersionNumber(&major, &minor, &patch, NULL));
  snprintf(version, sizeof version, "PETSc %d.%d.%d", (int)major, (int)minor, (int)patch);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &processes);
  if (rank == 0) report(version, processes, seconds, products, norm);

  PetscCall(MatDestroy(&matrix));
  PetscCall(VecDestroy(&y));
  PetscCall(VecDestroy(&x));
  PetscCall(PetscFinalize());
  return 0;
}
