// Conjugate gradients with the inverse of the diagonal by Eigen, whose products share their rows among OpenMP's
// threads.

#define PEERS_CG
#include <Eigen/Sparse>
#include <chrono>
#include <cstdio>

#include "problem.h"

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

namespace {

Matrix assembled(const Problem& p) {
  const Eigen::Index rows = Eigen::Index{p.nodes} * p.nodes;
  Matrix matrix(rows, rows);
  matrix.reserve(Eigen::VectorXi::Constant(rows, 5));
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Eigen::Index i = row % p.nodes;
    if (row >= p.nodes) matrix.insert(row, row - p.nodes) = p.beside;
    if (i > 0) matrix.insert(row, row - 1) = p.beside;
    matrix.insert(row, row) = p.diagonal;
    if (i + 1 < p.nodes) matrix.insert(row, row + 1) = p.beside;
    if (row + p.nodes < rows) matrix.insert(row, row + p.nodes) = p.beside;
  }
  matrix.makeCompressed();
  return matrix;
}

}  // namespace

int main(int argc, char** argv) {
  const Problem p = problem_of(argc, argv);
  const Matrix matrix = assembled(p);
  const Eigen::VectorXd rhs = Eigen::VectorXd::Constant(matrix.rows(), source(&p, 0, 0));
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::DiagonalPreconditioner<double>> solver(matrix);
  solver.setTolerance(1e-300);
  double seconds = 0.0;
  for (int warm = 0; warm < 2; ++warm) {  // the first one touches every vector once
    solver.setMaxIterations(warm == 0 ? 1 : p.iterations);
    const auto begin = std::chrono::steady_clock::now();
    const Eigen::VectorXd x = solver.solve(rhs);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  std::printf(
      "{\"version\": \"Eigen %d.%d.%d\", \"nodes\": %d, \"iterations\": %d, \"processes\": %d, \"seconds\": %.9e, "
      "\"residual\": %.17e}\n",
      EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, p.nodes, p.iterations, Eigen::nbThreads(), seconds,
      solver.error() * rhs.norm());
  return 0;
}
