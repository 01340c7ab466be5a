// Preconditioners against their definitions, written as plain loops: norms of conjugate gradients with them, and the
// solution, to the bit; and the properties that the matrices which they are made of must have.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "numerics/linear_system/reference.hpp"
#include "problems/linear_system/setup/aggregates.hpp"
#include "problems/linear_system/setup/block_inverses.hpp"
#include "problems/linear_system/setup/generators.hpp"
#include "problems/linear_system/setup/incomplete_factors.hpp"
#include "problems/linear_system/setup/levels.hpp"
#include "problems/linear_system/setup/multigrid_levels.hpp"
#include "problems/linear_system/setup/sparse_products.hpp"
#include "temporary_folder.hpp"

namespace quoin::test {
namespace {

template <class T>
constexpr Precision precision_in = sizeof(T) == sizeof(double) ? Precision::float64 : Precision::float32;

/// The matrix with all its zeros.
List<List<double>> dense(const SparseMatrix& a) {
  List<List<double>> rows(static_cast<std::size_t>(a.rows), List<double>(static_cast<std::size_t>(a.columns)));
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k)
      rows[row][static_cast<std::size_t>(a.column[k])] = a.value[k];
  return rows;
}

SparseMatrix sparse(const List<List<double>>& rows) {
  SparseMatrix a{static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size()), {0}, {}, {}};
  for (const List<double>& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0.0) continue;
      a.column.push_back(static_cast<std::int64_t>(j));
      a.value.push_back(row[j]);
    }
    a.at.push_back(static_cast<std::int64_t>(a.column.size()));
  }
  return a;
}

List<List<double>> multiplied(const List<List<double>>& a, const List<List<double>>& b) {
  List<List<double>> c(a.size(), List<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) c[i][j] = std::fma(a[i][k], b[k][j], c[i][j]);
  return c;
}

struct Small {
  const char* keys;
  SparseMatrix matrix;
};
std::vector<Small> systems() {
  return {{"generator: poisson, nodes: [23, 17]", poisson_matrix({23, 17, 1}, 5)},
          {"generator: poisson, nodes: [41, 40], points: 9", poisson_matrix({41, 40, 1}, 9)},
          {"generator: poisson, nodes: [9, 8, 7], points: 27", poisson_matrix({9, 8, 7}, 27)},
          {"generator: arrow, rows: 700", arrow_matrix(700)},
          {"generator: tridiagonal, rows: 1", tridiagonal_matrix(1)}};
}

template <class T, class Precondition>
void expect_bits_with(const Small& system, const std::string& preconditioner, double relative,
                      Precondition&& precondition) {
  SCOPED_TRACE(std::string(system.keys) + " " + preconditioner);
  const List<T> b(static_cast<std::size_t>(system.matrix.rows), T(1));
  const double tolerance = relative * static_cast<double>(norm(b));
  const Expected<T> expected = conjugate_gradients<T>(system.matrix, b, tolerance, precondition);
  for (const char* storage : {"format: csr", "format: sell, share: on"})
    expect_bits(expected, system.keys, storage, preconditioner, relative);
}

TEST(BlockJacobi, HasTheBitsOfItsDefinition) {
  for (const Small& system : systems()) {
    for (const std::int64_t length : {1, 5, 32}) {
      const SparseMatrix inverse = block_inverses(system.matrix, natural_blocks(system.matrix.rows, length)).matrix;
      const std::string keys = fmt::format("{{type: block-jacobi, block: {}}}", length);
      expect_bits_with<double>(system, keys, 0.000001, [&](const auto& r) { return multiply(inverse, r); });
      expect_bits_with<float>(system, keys, 0.0009765625, [&](const auto& r) { return multiply(inverse, r); });
    }
  }
}

TEST(BlockJacobi, InvertsEveryBlockOfEveryLength) {
  // Not symmetric, with zeros on the diagonal that only pivoting gets around.
  List<List<double>> rows(40, List<double>(40));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      rows[i][j] = i == j && i % 3 == 0 ? 0.0 : 1.0 / static_cast<double>(1 + (7 * i + 3 * j) % 11) - 0.3;
  for (std::int64_t length = 1; length <= 32; ++length) {
    if (length == 1) rows[0][0] = rows[3][3] = 0.0;
    const std::vector<std::int64_t> first = natural_blocks(40, length);
    const BlockInverses inverses = block_inverses(sparse(rows), first);
    const List<List<double>> inverse = dense(inverses.matrix);
    std::int64_t singular = 0;
    for (std::size_t b = 0; b + 1 < first.size(); ++b) {
      const auto begin = static_cast<std::size_t>(first[b]), end = static_cast<std::size_t>(first[b + 1]);
      double worst = 0.0;
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t j = begin; j < end; ++j) {
          double sum = i == j ? -1.0 : 0.0;
          for (std::size_t k = begin; k < end; ++k) sum = std::fma(rows[i][k], inverse[k][j], sum);
          worst = std::max(worst, std::abs(sum));
        }
        for (std::size_t j = 0; j < rows.size(); ++j) EXPECT_TRUE((j >= begin && j < end) || inverse[i][j] == 0.0);
      }
      if (worst > 1e-8) ++singular;
    }
    EXPECT_EQ(singular, inverses.singular) << length;
  }
}

TEST(BlockJacobi, TakesTheDiagonalOfASingularBlock) {
  const BlockInverses inverses =
      block_inverses(sparse({{2, 2, 0, 0}, {2, 2, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}), {0, 2, 4});
  EXPECT_EQ(inverses.singular, 2);
  EXPECT_EQ(dense(inverses.matrix), (List<List<double>>{{0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}));
}

TEST(BlockJacobi, PartsNoSupervariables) {
  // Three unknowns a node, nodes in a line.
  List<List<double>> rows(30, List<double>(30));
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 30; ++j)
      if (i / 3 <= j / 3 + 1 && j / 3 <= i / 3 + 1) rows[i][j] = i == j ? 20.0 : -1.0;
  EXPECT_EQ(supervariable_blocks(sparse(rows), 8), (std::vector<std::int64_t>{0, 6, 12, 18, 24, 30}));
  EXPECT_EQ(supervariable_blocks(sparse(rows), 3), natural_blocks(30, 3));
  EXPECT_EQ(supervariable_blocks(sparse(rows), 2).size(), 21U);  // two and one of each node
  EXPECT_EQ(supervariable_blocks(arrow_matrix(20), 4), natural_blocks(20, 4));
}

/// x = r - N x from r, so many times.
template <class T>
List<T> triangular(const SparseMatrix& beside, const List<T>& r, int sweeps) {
  List<T> x = r;
  for (; sweeps > 0; --sweeps) {
    x = multiply(beside, x);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = r[k] - x[k];
  }
  return x;
}

template <class T>
List<T> ilu_of(const IncompleteFactors& factors, const List<T>& r, int sweeps) {
  List<T> y = triangular(factors.lower, r, sweeps);
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = static_cast<T>(factors.inverse_diagonal[k]) * y[k];
  return triangular(factors.upper, y, sweeps);
}

/// The same with both triangular systems solved row by row.
template <class T>
List<T> ilu_by_substitution(const IncompleteFactors& factors, const List<T>& r) {
  List<T> z = r;
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = r[k] - multiply_row(factors.lower, k, z);
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = static_cast<T>(factors.inverse_diagonal[k]) * z[k];
  for (std::size_t k = z.size(); k-- > 0;) z[k] = z[k] - multiply_row(factors.upper, k, z);
  return z;
}

/// The factors after so many sweeps, by their definition: L below the diagonal, U from it on.
template <class T>
IncompleteFactors swept(const SparseMatrix& a, int sweeps) {
  const List<List<double>> all = dense(a);
  List<List<T>> known(all.size(), List<T>(all.size()));
  const auto each_entry = [&](auto&& make) {
    List<List<T>> made = known;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.at[static_cast<std::size_t>(i)]; k < a.at[static_cast<std::size_t>(i) + 1]; ++k)
        make(made, static_cast<std::size_t>(i), static_cast<std::size_t>(a.column[static_cast<std::size_t>(k)]));
    known = made;
  };
  const auto value = [&](std::size_t i, std::size_t j) { return static_cast<T>(all[i][j]); };
  each_entry([&](auto& made, auto i, auto j) { made[i][j] = i > j ? value(i, j) / value(j, j) : value(i, j); });
  for (; sweeps > 0; --sweeps) {
    each_entry([&](auto& made, auto i, auto j) {
      T sum = value(i, j);
      for (auto k = static_cast<std::size_t>(a.at[i]); k < static_cast<std::size_t>(a.at[i + 1]); ++k) {
        const auto above = static_cast<std::size_t>(a.column[k]);
        if (above < std::min(i, j) && all[above][j] != 0.0) sum = std::fma(-known[i][above], known[above][j], sum);
      }
      made[i][j] = i > j ? sum / known[j][j] : sum;
    });
  }
  List<double> entries;
  each_entry([&](auto& made, auto i, auto j) { entries.push_back(static_cast<double>(made[i][j])); });
  return factors_of(a, entries, precision_in<T>);
}

template <class T>
void expect_bits_of_ilu(const Small& system, double relative) {
  const IncompleteFactors exact =
      factors_of(system.matrix, eliminated(system.matrix, precision_in<T>), precision_in<T>);
  const IncompleteFactors some = swept<T>(system.matrix, 2);
  expect_bits_with<T>(system, "{type: ilu, factor: exact, solve_sweeps: 1}", relative,
                      [&](const auto& r) { return ilu_of(exact, r, 1); });
  expect_bits_with<T>(system, "{type: ilu, sweeps: 2, solve_sweeps: 4}", relative,
                      [&](const auto& r) { return ilu_of(some, r, 4); });
  expect_bits_with<T>(system, "{type: ilu, sweeps: 2, solve: levels}", relative,
                      [&](const auto& r) { return ilu_by_substitution(some, r); });
}

TEST(Ilu, HasTheBitsOfItsDefinition) {
  for (const Small& system : systems()) {
    expect_bits_of_ilu<double>(system, 0.000001);
    expect_bits_of_ilu<float>(system, 0.0009765625);
  }
}

TEST(Ilu, HasTheMatrixWhereItHasEntries) {
  for (const SparseMatrix& a : {poisson_matrix({9, 7, 1}, 9), convection_diffusion_matrix({8, 9}, {1.0, -2.0}),
                                arrow_matrix(40), tridiagonal_matrix(1)}) {
    const IncompleteFactors factors = factors_of(a, eliminated(a, Precision::float64), Precision::float64);
    List<List<double>> lower = dense(factors.lower), upper = dense(factors.upper);
    for (std::size_t k = 0; k < lower.size(); ++k) {
      lower[k][k] = upper[k][k] = 1.0;
      for (double& element : upper[k]) element /= factors.inverse_diagonal[k];
    }
    const auto found = multiplied(lower, upper);
    const auto wanted = dense(a);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      for (std::size_t j = 0; j < wanted.size(); ++j)
        EXPECT_TRUE(wanted[i][j] == 0.0 || std::abs(found[i][j] - wanted[i][j]) < 1e-13 * std::abs(wanted[i][i]));
  }
}

template <class T>
void expect_sweeps_to_eliminate() {
  const SparseMatrix a = poisson_matrix({6, 5, 1}, 5);  // ten levels
  const auto values = [](const IncompleteFactors& factors) {
    List<double> all = factors.lower.value;
    all.insert(all.end(), factors.upper.value.begin(), factors.upper.value.end());
    all.insert(all.end(), factors.inverse_diagonal.begin(), factors.inverse_diagonal.end());
    return all;
  };
  const List<double> exact = values(factors_of(a, eliminated(a, precision_in<T>), precision_in<T>));
  EXPECT_EQ(values(swept<T>(a, 20)), exact);
  EXPECT_NE(values(swept<T>(a, 2)), exact);
}

TEST(Ilu, SweepsComeToTheFactorsOfElimination) {
  expect_sweeps_to_eliminate<double>();
  expect_sweeps_to_eliminate<float>();
}

TEST(Levels, PutRowsBehindThoseThatTheyNeed) {
  for (const SparseMatrix& a : {poisson_matrix({9, 7, 1}, 5), arrow_matrix(40), tridiagonal_matrix(1),
                                sparse({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})}) {
    const IncompleteFactors factors = factors_of(a, a.value, Precision::float64);
    for (const SparseMatrix& triangle : {factors.lower, factors.upper}) {
      const Levels levels = levels_of(triangle);
      List<std::int64_t> level(static_cast<std::size_t>(a.rows), -1);
      for (std::int64_t l = 0; l < levels.count(); ++l)
        for (auto k = levels.first[static_cast<std::size_t>(l)]; k < levels.first[static_cast<std::size_t>(l) + 1]; ++k)
          level[static_cast<std::size_t>(levels.row[static_cast<std::size_t>(k)])] = l;
      for (std::size_t row = 0; row < level.size(); ++row) {
        std::int64_t furthest = -1;
        for (auto k = static_cast<std::size_t>(triangle.at[row]); k < static_cast<std::size_t>(triangle.at[row + 1]);
             ++k)
          furthest = std::max(furthest, level[static_cast<std::size_t>(triangle.column[k])]);
        EXPECT_EQ(level[row], furthest + 1) << row;
      }
    }
  }
  EXPECT_EQ(
      levels_of(factors_of(poisson_matrix({9, 7, 1}, 5), poisson_matrix({9, 7, 1}, 5).value, Precision::float64).lower)
          .count(),
      15);  // the diagonals of the grid
}

TEST(Ilu, NamesARowWhosePivotIsZero) {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "a.mtx")
      << "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 2\n1 2 4\n2 1 1\n2 2 2\n3 3 1\n";
  const Case the_case = linear_case("matrix: a.mtx", "solver: gmres, preconditioner: {type: ilu, factor: exact}",
                                    (folder.path / "case.yaml").string());
  try {
    solve_system(the_case);
    FAIL() << "solved";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::case_file);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the pivot of row 2 is zero"));
  }
}

template <class T>
struct Cycle {
  const SparseMatrix& a;
  const Multigrid& multigrid;

  [[nodiscard]] const SparseMatrix& matrix(std::size_t level) const {
    return level == 0 ? a : multigrid.levels[level].matrix;
  }
  [[nodiscard]] List<T> defect(std::size_t level, const List<T>& r, const List<T>& z) const {
    List<T> w = multiply(matrix(level), z);
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = r[k] - w[k];
    return w;
  }
  void sweep(std::size_t level, std::size_t step, const List<T>& r, List<T>& z) const {
    const List<T> w = defect(level, r, z);
    const std::vector<double>& weight = multigrid.levels[level].weight[step];
    for (std::size_t k = 0; k < w.size(); ++k) z[k] = std::fma(static_cast<T>(weight[k]), w[k], z[k]);
  }
  static void correct(List<T>& z, const List<T>& w) {
    for (std::size_t k = 0; k < w.size(); ++k) z[k] = z[k] + w[k];
  }

  [[nodiscard]] List<T> visit(std::size_t level, const List<T>& r) const {
    const MultigridLevel& here = multigrid.levels[level];
    List<T> z;
    for (std::size_t k = 0; k < r.size(); ++k) z.push_back(static_cast<T>(here.weight[0][k]) * r[k]);
    sweep(level, 1, r, z);
    correct(z, multiply(here.prolongation, of(level + 1, multiply(here.restriction, defect(level, r, z)))));
    sweep(level, 1, r, z);
    sweep(level, 0, r, z);
    return z;
  }
  [[nodiscard]] List<T> of(std::size_t level, const List<T>& r) const {
    if (level == multigrid.levels.size()) return multiply(multigrid.inverse, r);
    List<T> z = visit(level, r);
    if (level == 1 || level == 2) correct(z, visit(level, defect(level, r, z)));
    return z;
  }
};

TEST(Amg, HasTheBitsOfItsDefinition) {
  std::vector<Small> all = systems();
  all.push_back({"generator: poisson, nodes: [150, 150]", poisson_matrix({150, 150, 1}, 5)});  // four levels
  for (const Small& system : all) {
    const Multigrid multigrid = multigrid_of(system.matrix, 0.08);
    expect_bits_with<double>(system, "amg", 0.000001, [&](const auto& r) {
      return Cycle<double>{system.matrix, multigrid}.of(0, r);
    });
    expect_bits_with<float>(system, "amg", 0.0009765625, [&](const auto& r) {
      return Cycle<float>{system.matrix, multigrid}.of(0, r);
    });
  }
}

TEST(Amg, HasCoarseMatricesThatAreGalerkinProducts) {
  const SparseMatrix a = poisson_matrix({27, 25, 1}, 9);
  const Multigrid multigrid = multigrid_of(a, 0.08);
  ASSERT_EQ(multigrid.levels.size(), 1U);
  const auto p = dense(multigrid.levels[0].prolongation);
  EXPECT_EQ(dense(transposed(multigrid.levels[0].prolongation)), dense(multigrid.levels[0].restriction));
  const auto coarse = multiplied(dense(multigrid.levels[0].restriction), multiplied(dense(a), p));
  const auto identity = multiplied(coarse, dense(multigrid.inverse));
  EXPECT_EQ(multigrid.rows, static_cast<std::int64_t>(coarse.size()));
  for (std::size_t i = 0; i < identity.size(); ++i)
    for (std::size_t j = 0; j < identity.size(); ++j) EXPECT_NEAR(identity[i][j], i == j ? 1.0 : 0.0, 1e-10);
}

TEST(Amg, IsSymmetricAndPositive) {
  const SparseMatrix a = poisson_matrix({60, 50, 1}, 5);
  const Multigrid multigrid = multigrid_of(a, 0.08);
  List<double> u, v;
  for (std::int64_t k = 0; k < a.rows; ++k) {
    u.push_back(static_cast<double>((k * 37) % 101) - 50.0);
    v.push_back(static_cast<double>((k * 53) % 89) - 44.0);
  }
  const Cycle<double> cycle{a, multigrid};
  const double uv = product(u, cycle.of(0, v));
  EXPECT_NEAR(uv, product(v, cycle.of(0, u)), 1e-10 * std::abs(uv));
  EXPECT_GT(product(u, cycle.of(0, u)), 0.0);
}

TEST(Amg, KeepsRowsWithoutNeighboursOutOfAggregates) {
  // Rows 0 and 6 have weak entries only.
  List<List<double>> rows(7, List<double>(7));
  for (std::size_t k = 0; k < 7; ++k) rows[k][k] = 2.0;
  for (const auto& [i, j, value] : {std::tuple{0, 1, -0.01}, {1, 2, -1.0}, {2, 3, -1.0}, {4, 5, -0.5}, {5, 6, -0.1}})
    rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
        rows[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = value;
  const SparseMatrix a = sparse(rows);
  EXPECT_THAT(aggregates_of(Ties(a, 0.08)), ::testing::ElementsAre(-1, 0, 0, 0, 1, 1, -1));
}

TEST(Amg, TakesAFewIterationsForAnySize) {
  for (const char* nodes : {"[64, 64]", "[256, 256]", "[40, 300]"}) {
    const Result found = solve_system(
        linear_case(fmt::format("matrix: {{generator: poisson, nodes: {}}}, rhs: {{solution: random}}", nodes),
                    "preconditioner: amg, relative_tolerance: 1e-8"));
    EXPECT_EQ(found.last.status, Status::converged) << found.last.message;
    EXPECT_LE(found.last.iterations, 12) << nodes;
    EXPECT_LT(found.errors.value().linf, 1e-5) << nodes;
  }
}

TEST(Amg, FollowsStrongConnections) {
  // A thousand times as strong along x as along y.
  const TemporaryFolder folder;
  constexpr int n = 64;
  std::ofstream file(folder.path / "a.mtx");
  file << "%%MatrixMarket matrix coordinate real symmetric\n"
       << n * n << ' ' << n * n << ' ' << n * n + 2 * n * (n - 1) << '\n';
  for (int row = 1; row <= n * n; ++row) {
    file << row << ' ' << row << " 2.002\n";
    if (row % n != 0) file << row + 1 << ' ' << row << " -1\n";
    if (row + n <= n * n) file << row + n << ' ' << row << " -0.001\n";
  }
  file.close();
  const Result found =
      solve_system(linear_case("matrix: a.mtx, rhs: {solution: random}",
                               "preconditioner: amg, relative_tolerance: 1e-8", (folder.path / "case.yaml").string()));
  EXPECT_EQ(found.last.status, Status::converged) << found.last.message;
  EXPECT_LE(found.last.iterations, 20);
}

class Preconditioned : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Preconditioned, SolvesWithEveryMethod) {
  const auto [solver, preconditioner] = GetParam();
  const Result found = solve_system(
      linear_case("matrix: {generator: poisson, nodes: [70, 50]}, rhs: {solution: random}",
                  fmt::format("solver: {}, preconditioner: {}, relative_tolerance: 1e-10", solver, preconditioner)));
  EXPECT_EQ(found.last.status, Status::converged) << found.last.message;
  EXPECT_LT(found.errors.value().linf, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(All, Preconditioned,
                         ::testing::Combine(::testing::Values("cg", "bicgstab", "gmres", "cgs"),
                                            ::testing::Values("{type: block-jacobi, block: 7}",
                                                              "{type: block-jacobi, blocks: supervariable}", "ilu",
                                                              "{type: ilu, factor: exact, solve_sweeps: 9}", "amg")));

}  // namespace
}  // namespace quoin::test
