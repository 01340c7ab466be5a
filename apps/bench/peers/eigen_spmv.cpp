// Products with a sparse matrix by rows by Eigen, which shares the rows among OpenMP's threads.

#include <Eigen/Sparse>
#include <chrono>

#include "product.h"

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

namespace {

Matrix loaded(const char* folder, int rows) {
  Matrix matrix(rows, rows);
  read_elements(folder, "offsets", matrix.outerIndexPtr(), sizeof(int), 0, static_cast<std::size_t>(rows) + 1);
  const int entries = matrix.outerIndexPtr()[rows];
  matrix.resizeNonZeros(entries);
  read_elements(folder, "columns", matrix.innerIndexPtr(), sizeof(int), 0, entries);
  read_elements(folder, "values", matrix.valuePtr(), sizeof(double), 0, entries);
  return matrix;
}

}  // namespace

int main(int argc, char** argv) {
  const int rows = rows_of(argc, argv);
  const Matrix matrix = loaded(argv[1], rows);
  const Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(rows, [](Eigen::Index i) { return x_at(i); });
  Eigen::VectorXd y(rows);
  const auto multiply = [&](int products) {
    const auto begin = std::chrono::steady_clock::now();
    for (int product = 0; product < products; ++product) y.noalias() = matrix * x;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  double seconds = 0.0;
  for (int warm = 0; warm < warm_products; ++warm) seconds = multiply(1);
  const int products = products_of(seconds);
  seconds = multiply(products);
  char version[64];
  std::snprintf(version, sizeof version, "Eigen %d.%d.%d", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                EIGEN_MINOR_VERSION);
  report(version, Eigen::nbThreads(), seconds, products, y.norm());
  return 0;
}
