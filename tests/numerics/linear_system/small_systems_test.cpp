// Small systems of all kinds against a factorisation in long double: x as near as the condition number lets it be, and
// the residual that is reported.

#include "numerics/linear_system/small_systems.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "numerics/linear_system/reference.hpp"
#include "temporary_folder.hpp"

namespace quoin::test {
namespace {

using Real = long double;
using Rows = std::vector<std::vector<Real>>;

double norm_of(const std::vector<Real>& values) {
  Real sum = 0;
  for (const Real value : values) sum += value * value;
  return static_cast<double>(std::sqrt(sum));
}

double norm_of(const Rows& a) {
  std::vector<Real> norms;
  for (const auto& row : a) norms.push_back(norm_of(row));
  return norm_of(norms);
}

/// The columns of `b` become those of the solutions: Gauss and Jordan, with the largest pivot.
Rows solved(Rows a, Rows b) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      for (std::size_t j = 0; j < b[i].size(); ++j) b[i][j] -= factor * b[k][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (Real& value : b[i]) value /= a[i][i];
  return b;
}

class SmallSystems : public ::testing::TestWithParam<SmallSystem> {
 protected:
  void SetUp() override {
    const SmallSystem& system = GetParam();
    const std::size_t n = system.rows;
    a_.assign(n, std::vector<Real>(n));
    b_.assign(n, 0);
    std::string entries;
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double value = system.entry(i, j);
        a_[i][j] = value;
        if (value == 0.0) continue;
        entries += fmt::format("{} {} {}\n", i + 1, j + 1, value);
        ++count;
      }
      full_diagonal_ = full_diagonal_ && a_[i][i] != 0;
    }
    for (std::size_t i = 0; i < n; ++i) b_[i] = 1.0 + number(i * 37 % 11) / 8.0;
    if (system.kind == Kind::consistent) {  // each of these has integers, so that this is exact
      std::vector<Real> image(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) image[i] += a_[i][j] * b_[j];
      b_ = image;
    }
    write_text(folder_.path / "a.mtx",
               fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n{}", n, n, count, entries));
    std::string lines = fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", n);
    for (const Real value : b_) lines += fmt::format("{}\n", static_cast<double>(value));
    write_text(folder_.path / "b.mtx", lines);
  }

  [[nodiscard]] std::vector<std::string> solvers() const {
    switch (GetParam().kind) {
      case Kind::definite:
        return {"cg", "bicgstab", "gmres"};
      case Kind::any:
        return {"bicgstab", "gmres"};
      case Kind::consistent:
        return {"cg", "gmres"};
      default:
        return {"gmres"};
    }
  }

  [[nodiscard]] std::vector<std::string> preconditioners() const {
    return full_diagonal_ ? std::vector<std::string>{"none", "jacobi"} : std::vector<std::string>{"none"};
  }

  /// The norm of b - A x, and how far the run's own may be from it.
  void residual(const List<double>& x) {
    const std::size_t n = b_.size();
    std::vector<Real> r(n), sizes(n);
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = b_[i];
      sizes[i] = std::fabs(b_[i]);
      for (std::size_t j = 0; j < n; ++j) {
        r[i] -= a_[i][j] * x[j];
        sizes[i] += std::fabs(a_[i][j] * x[j]);
      }
    }
    residual_ = norm_of(r);
    rounding_ = number(n + 2) * 0x1p-53 * norm_of(sizes);
  }

  TemporaryFolder folder_;
  Rows a_;
  std::vector<Real> b_;
  bool full_diagonal_ = true;
  double residual_ = 0.0, rounding_ = 0.0;
};

TEST_P(SmallSystems, AreSolvedAsFarAsTheirConditionLets) {
  constexpr double tolerance = 1e-9;
  const std::size_t n = b_.size();
  std::vector<Real> exact;
  double condition = 0.0;
  if (GetParam().kind != Kind::consistent) {
    Rows right(n, std::vector<Real>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
      right[i][i] = 1;
      right[i][n] = b_[i];
    }
    Rows inverse = solved(a_, right);
    for (auto& row : inverse) {
      exact.push_back(row.back());
      row.pop_back();
    }
    condition = norm_of(a_) * norm_of(inverse);
    ASSERT_LT(condition, 1e9) << "the bound says nothing";
  }
  for (const std::string& solver : solvers()) {
    for (const std::string& preconditioner : preconditioners()) {
      SCOPED_TRACE(solver + ", preconditioner " + preconditioner);
      const Result found = solve_system(
          linear_case("matrix: a.mtx, rhs: {file: b.mtx}",
                      fmt::format("solver: {}{}, preconditioner: {}, relative_tolerance: {}, max_iterations: 500",
                                  solver, solver == "gmres" ? ", restart: 60" : "", preconditioner, tolerance),
                      (folder_.path / "case.yaml").string()));
      ASSERT_EQ(found.last.status, Status::converged) << found.last.message;
      residual(found.x);
      EXPECT_LE(found.last.residual.value(), tolerance * norm_of(b_) * (1 + 1e-12));
      EXPECT_NEAR(found.last.residual.value(), residual_, rounding_ + 1e-12 * residual_);
      if (exact.empty()) continue;
      std::vector<Real> error;
      for (std::size_t k = 0; k < n; ++k) error.push_back(found.x[k] - exact[k]);
      EXPECT_LE(norm_of(error), condition * (tolerance * norm_of(b_) + rounding_) / norm_of(b_) * norm_of(exact));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallSystems, ::testing::ValuesIn(small_systems()),
                         [](const auto& test) { return test.param.name; });

TEST(SmallSystemsTable, IsLargeAndNamesEachOnce) {
  std::set<std::string> names;
  for (const SmallSystem& system : small_systems()) EXPECT_TRUE(names.insert(system.name).second) << system.name;
  EXPECT_GE(names.size(), 30U);
}

/// What the table says of a matrix is so: else a solver would not be tried on one that suits it.
TEST(SmallSystemsTable, SaysWhichMatricesAreDefinite) {
  for (const SmallSystem& system : small_systems()) {
    SCOPED_TRACE(system.name);
    Rows a(system.rows, std::vector<Real>(system.rows));
    bool symmetric = true;
    for (std::size_t i = 0; i < system.rows; ++i) {
      for (std::size_t j = 0; j < system.rows; ++j) {
        a[i][j] = system.entry(i, j);
        symmetric = symmetric && system.entry(i, j) == system.entry(j, i);
      }
    }
    bool positive = true;  // all pivots of the elimination
    for (std::size_t k = 0; k < system.rows && positive; ++k) {
      positive = a[k][k] > 1e-12L;
      for (std::size_t i = k + 1; i < system.rows; ++i)
        for (std::size_t j = system.rows; j-- > k;) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    EXPECT_EQ(symmetric && positive, system.kind == Kind::definite);
  }
}

}  // namespace
}  // namespace quoin::test
