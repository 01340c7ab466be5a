// Generated matrices as matrices, and where the iterations start, to the bit.

#include "problems/linear_system/setup/generators.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "numerics/linear_system/reference.hpp"
#include "temporary_folder.hpp"

namespace quoin::test {
namespace {

using HalfSteps = std::array<std::int64_t, 3>;

void expect_same(const SparseMatrix& found, const SparseMatrix& expected) {
  EXPECT_EQ(found.at, expected.at);
  EXPECT_EQ(found.column, expected.column);
  EXPECT_EQ(found.value, expected.value);
}

TEST(Generators, OfDiffusionWithoutAnythingGiveTheLaplacian) {
  const auto one = [](const HalfSteps&) { return 1.0; };
  expect_same(diffusion_matrix({7, 5, 1}, {1, 1}, one), poisson_matrix({7, 5, 1}, 5));
  expect_same(diffusion_matrix({4, 1, 3}, {1, 1, 1}, one), poisson_matrix({4, 1, 3}, 7));
  expect_same(diffusion_matrix({1, 1, 1}, {1, 1, 1}, one), poisson_matrix({1, 1, 1}, 7));
}

TEST(Generators, OfDiffusionAreSymmetricToTheBit) {
  const auto uneven = [](const HalfSteps& place) {
    return 1.0 / static_cast<double>(3 * place[0] + 7 * place[1] * place[1] + 11 * place[2]);
  };
  for (const std::vector<double>& factors : {std::vector{0.3, 7.0}, std::vector{1.0, 0.001, 1.0 / 3.0}}) {
    const MatrixFacts facts = facts_of(diffusion_matrix({9, 8, factors.size() == 3 ? 7 : 1}, factors, uneven));
    EXPECT_TRUE(facts.symmetric());
    EXPECT_EQ(facts.without_diagonal, 0);
    EXPECT_EQ(facts.longest_row, 2 * static_cast<std::int64_t>(factors.size()) + 1);
  }
}

TEST(Generators, OfDiffusionAreAskedForPlacesHalfWayBetweenNodes) {
  std::vector<HalfSteps> places;
  (void)diffusion_matrix({2, 1, 1}, {1, 1}, [&](const HalfSteps& place) {
    places.push_back(place);
    return 1.0;
  });
  EXPECT_EQ(places, (std::vector<HalfSteps>{{1, 2, 2},
                                            {3, 2, 2},
                                            {2, 1, 2},
                                            {2, 3, 2},  // node 0
                                            {3, 2, 2},
                                            {5, 2, 2},
                                            {4, 1, 2},
                                            {4, 3, 2}}));
}

TEST(Generators, OfPowerLawsGiveDefiniteMatricesWithFewLongRows) {
  for (const std::int64_t rows : {1, 2, 3, 31, 64, 1000, 5000}) {
    SCOPED_TRACE(rows);
    const SparseMatrix a = power_law_matrix(rows, 8, 1);
    const MatrixFacts facts = facts_of(a);
    EXPECT_TRUE(facts.symmetric());
    EXPECT_EQ(facts.dominant_rows, rows);
    EXPECT_EQ(facts.without_diagonal, 0);
    EXPECT_LE(a.entries(), 9 * rows);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      EXPECT_EQ(std::accumulate(a.value.begin() + a.at[row], a.value.begin() + a.at[row + 1], 0.0), 1.0);
      for (std::int64_t k = a.at[row] + 1; k < a.at[row + 1]; ++k)
        ASSERT_LT(a.column[static_cast<std::size_t>(k) - 1], a.column[static_cast<std::size_t>(k)]);
    }
    if (rows < 1000) continue;
    EXPECT_GT(a.entries(), 7 * rows);
    EXPECT_GT(facts.longest_row, 20 * facts.median_row);
  }
  EXPECT_NE(power_law_matrix(100, 8, 1).column, power_law_matrix(100, 8, 2).column);
}

TEST(Generators, MakeWhatTheCaseSays) {
  const auto entries = [](const std::string& matrix) {
    return LinearSystemSetup(linear_case("matrix: {generator: " + matrix + "}")).load().matrix;
  };
  expect_same(entries("hpcg, nodes: [5, 4, 3]"), poisson_matrix({5, 4, 3}, 27));
  expect_same(entries("power-law, rows: 90, degree: 4, seed: 5"), power_law_matrix(90, 4, 5));
  expect_same(entries("power-law, rows: 90, degree: 4"), power_law_matrix(90, 4, 1));
  expect_same(entries("poisson, nodes: [7, 5], coefficient: 1 + x*y, anisotropy: [1, 0.25]"),
              diffusion_matrix({7, 5, 1}, {1, 0.25}, [](const HalfSteps& place) {
                return 1.0 + (static_cast<double>(place[0]) / 16.0) * (static_cast<double>(place[1]) / 16.0);
              }));
}

template <class T>
void expect_first_norm(const std::string& method) {
  const SparseMatrix a = poisson_matrix({23, 29, 1}, 5);
  const TemporaryFolder folder;
  List<T> x;
  std::string lines;
  for (int k = 0; k < 667; ++k) {
    const double value = 1.0 / (1.0 + k);
    x.push_back(static_cast<T>(value));
    lines += fmt::format("{}\n", value);
  }
  write_text(folder.path / "x0.mtx", "%%MatrixMarket matrix array real general\n667 1\n" + lines);
  List<T> r = multiply(a, x);
  for (T& value : r) value = T(1) - value;
  const Result found =
      solve_system(linear_case("matrix: {generator: poisson, nodes: [23, 29]}, initial: {file: x0.mtx}",
                               method + ", relative_tolerance: 0.0001", (folder.path / "case.yaml").string()));
  EXPECT_EQ(found.last.status, Status::converged);
  EXPECT_EQ(found.norms.front(), static_cast<double>(norm(r)));
}

TEST(LinearSystemStarts, HaveTheResidualOfTheirX) {
  for (const char* solver : {"cg", "bicgstab", "gmres"}) {
    for (const char* format : {"csr", "sell"}) {
      const std::string method = fmt::format("solver: {}, format: {}", solver, format);
      SCOPED_TRACE(method);
      expect_first_norm<double>(method);
      expect_first_norm<float>(method + ", precision: float");
    }
  }
}

TEST(LinearSystemStarts, SayWhenTheyAreTooLarge) {
  const TemporaryFolder folder;
  write_text(folder.path / "x0.mtx", "%%MatrixMarket matrix array real general\n2 1\n1e200\n0\n");
  try {
    (void)solve_system(linear_case("matrix: {generator: tridiagonal, rows: 2}, initial: {file: x0.mtx}", "",
                                   (folder.path / "case.yaml").string()));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the sum of squares of b - A x at the start is not finite"));
  }
}

}  // namespace
}  // namespace quoin::test
