// Conjugate gradients against the definition of every operation, written here as plain loops: iterations, norms and
// solution to the bit.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "linear_reference.hpp"
#include "problems/linear_system/setup/generators.hpp"
#include "temporary_folder.hpp"

namespace quoin::test {
namespace {

/// Of a system that needs no replacement of its residual, from zero; `d` is empty without a preconditioner.
template <class T>
Expected<T> conjugate_gradients(const SparseMatrix& a, const List<T>& b, const List<T>& d, double tolerance) {
  Expected<T> found{List<T>(b.size()), {static_cast<double>(norm(b))}};
  List<T> r = b;
  List<T> p(b.size());
  T rho = product(r, scaled(d, r));
  T beta = 0;
  while (found.norms.back() > tolerance) {
    p = add(scaled(d, r), beta, p);
    const List<T> w = multiply(a, p);
    const T alpha = rho / product(p, w);
    found.x = add(found.x, alpha, p);
    r = add(r, -alpha, w);
    found.norms.push_back(static_cast<double>(norm(r)));
    const T next = product(r, scaled(d, r));
    beta = next / rho;
    rho = next;
  }
  return found;
}

template <class T>
void expect_the_bits(const SparseMatrix& a, const std::string& matrix, bool jacobi, T relative) {
  const List<T> d = jacobi ? inverse_diagonal<T>(a) : List<T>();
  const List<T> b(static_cast<std::size_t>(a.rows), T(1));
  const auto tolerance = static_cast<T>(static_cast<double>(relative) * static_cast<double>(norm(b)));
  const Expected<T> expected = conjugate_gradients<T>(a, b, d, static_cast<double>(tolerance));
  for (const char* storage : {"format: csr", "format: sell, share: off", "format: sell, share: on", "format: ell",
                              "format: coo", "format: hybrid"}) {
    SCOPED_TRACE(storage);
    expect_bits(expected, matrix, storage, jacobi, static_cast<double>(relative));
  }
}

struct Generated {
  const char* keys;
  SparseMatrix matrix;
};

class LinearSystem : public testing::TestWithParam<int> {
 protected:
  /// Rows around the sizes of blocks and segments; rows longer than a segment.
  static Generated generated(int k) {
    switch (k) {
      case 0:
        return {"generator: poisson, nodes: [23, 17]", poisson_matrix({23, 17, 1}, 5)};
      case 1:
        return {"generator: poisson, nodes: [8, 64], points: 9", poisson_matrix({8, 64, 1}, 9)};
      case 2:
        return {"generator: poisson, nodes: [9, 8, 7]", poisson_matrix({9, 8, 7}, 7)};
      case 3:
        return {"generator: poisson, nodes: [11, 5, 9], points: 27", poisson_matrix({11, 5, 9}, 27)};
      case 4:
        return {"generator: tridiagonal, rows: 511", tridiagonal_matrix(511)};
      case 5:
        return {"generator: tridiagonal, rows: 513", tridiagonal_matrix(513)};
      case 6:
        return {"generator: arrow, rows: 32", arrow_matrix(32)};
      case 7:
        return {"generator: arrow, rows: 33", arrow_matrix(33)};
      case 8:
        return {"generator: arrow, rows: 2500", arrow_matrix(2500)};
      default:
        return {"generator: tridiagonal, rows: 1", tridiagonal_matrix(1)};
    }
  }
};

TEST_P(LinearSystem, HasTheBitsOfItsDefinition) {
  const Generated g = generated(GetParam());
  expect_the_bits<double>(g.matrix, g.keys, true, 0.000001);
  expect_the_bits<double>(g.matrix, g.keys, false, 0.000001);
  expect_the_bits<float>(g.matrix, g.keys, true, 0.0009765625F);
}

INSTANTIATE_TEST_SUITE_P(Generated, LinearSystem, testing::Range(0, 10));

TEST(LinearSystemRuns, EndBeforeTheyStartWhereTheRightHandSideIsZero) {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "b.mtx") << "%%MatrixMarket matrix coordinate real general\n9 1 0\n";
  const Result found = solve_system(linear_case("matrix: {generator: tridiagonal, rows: 9}, rhs: {file: b.mtx}", "",
                                                (folder.path / "case.yaml").string()));
  EXPECT_EQ(found.last.status, Status::converged);
  EXPECT_EQ(found.last.iterations, 0);
  EXPECT_EQ(found.x, List<double>(9));
}

TEST(LinearSystemRuns, SayThatAMatrixIsIndefinite) {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "a.mtx")
      << "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 -2\n2 2 1\n";
  const Result found =
      solve_system(linear_case("matrix: a.mtx", "preconditioner: none", (folder.path / "case.yaml").string()));
  EXPECT_EQ(found.last.status, Status::diverged);
  EXPECT_THAT(found.last.message, testing::HasSubstr("not positive definite: p'Ap = -2 in iteration 1"));
  EXPECT_DOUBLE_EQ(found.last.residual.value(), std::sqrt(2.0));
}

TEST(LinearSystemRuns, AreNotCalledConvergedByTheRecurrence) {
  // Its norm falls without end in float; that of b - A x does not.
  const Result found =
      solve_system(linear_case("matrix: {generator: poisson, nodes: [40, 40]}, rhs: {solution: random}",
                               "precision: float, relative_tolerance: 1e-12"));
  EXPECT_EQ(found.last.status, Status::stagnated);
  EXPECT_LE(found.norms.back(), found.last.tolerance);
  EXPECT_GT(found.last.residual.value(), 10.0 * found.last.tolerance);
  EXPECT_THAT(found.last.message, testing::HasSubstr("by the recurrence it is"));
}

TEST(LinearSystemRuns, FindTheSolutionThatTheRightHandSideIsMadeOf) {
  for (const char* solution : {"ones", "random"}) {
    const Result found = solve_system(linear_case(
        std::string("matrix: {generator: poisson, nodes: [30, 20, 10], points: 27}, rhs: {solution: ") + solution + "}",
        "relative_tolerance: 1e-13"));
    EXPECT_EQ(found.last.status, Status::converged);
    EXPECT_LT(found.errors.value().linf, 1e-12);
  }
}

}  // namespace
}  // namespace quoin::test
