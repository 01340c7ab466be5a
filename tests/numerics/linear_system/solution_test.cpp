// Conjugate gradients against the definition of every operation, written here as plain loops: iterations, norms and
// solution to the bit.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "numerics/linear_system/reference.hpp"
#include "problems/linear_system/setup/generators.hpp"
#include "temporary_folder.hpp"

namespace quoin::test {
namespace {

template <class T>
void expect_the_bits(const SparseMatrix& a, const std::string& matrix, bool jacobi, T relative) {
  const List<T> d = jacobi ? inverse_diagonal<T>(a) : List<T>();
  const List<T> b(static_cast<std::size_t>(a.rows), T(1));
  const auto tolerance = static_cast<T>(static_cast<double>(relative) * static_cast<double>(norm(b)));
  const Expected<T> expected =
      conjugate_gradients<T>(a, b, static_cast<double>(tolerance), [&](const List<T>& r) { return scaled(d, r); });
  for (const char* storage : {"format: csr", "format: sell, share: off", "format: sell, share: on", "format: ell",
                              "format: coo", "format: hybrid"}) {
    SCOPED_TRACE(storage);
    expect_bits(expected, matrix, storage, jacobi ? "jacobi" : "none", static_cast<double>(relative));
  }
}

struct Generated {
  const char* keys;
  SparseMatrix matrix;
};

class LinearSystem : public ::testing::TestWithParam<int> {
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
      case 9:
        return {"generator: power-law, rows: 700, degree: 40", power_law_matrix(700, 40, 1)};
      case 10:
        return {"generator: poisson, nodes: [12, 9, 7], coefficient: 2 + x - z, anisotropy: [1, 0.5, 3]",
                diffusion_matrix({12, 9, 7}, {1, 0.5, 3}, [](const std::array<std::int64_t, 3>& place) {
                  return 2.0 + static_cast<double>(place[0]) / 26.0 - static_cast<double>(place[2]) / 26.0;
                })};
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

INSTANTIATE_TEST_SUITE_P(Generated, LinearSystem, ::testing::Range(0, 12));

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
  EXPECT_THAT(found.last.message, ::testing::HasSubstr("not positive definite: p'Ap = -2 in iteration 1"));
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
  EXPECT_THAT(found.last.message, ::testing::HasSubstr("by the recurrence it is"));
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
