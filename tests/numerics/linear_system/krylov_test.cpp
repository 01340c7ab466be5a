// The methods for any square matrix against their definitions, written as plain loops: norms and solution to the bit.

#include <gmock/gmock.h>

#include <fstream>

#include "numerics/linear_system/reference.hpp"
#include "problems/linear_system/setup/generators.hpp"
#include "temporary_folder.hpp"

namespace quoin::test {
namespace {

/// From zero, without breakdown or replacement.
template <class T>
Expected<T> bicgstab_of(const SparseMatrix& a, const List<T>& b, const List<T>& d, double tolerance) {
  Expected<T> found{List<T>(b.size()), {static_cast<double>(norm(b))}};
  List<T> r = b;
  const List<T> shadow = b;
  List<T> p(b.size()), v(b.size());
  T rho = 1, alpha = 1, omega = 1;
  while (found.norms.back() > tolerance) {
    const T next = product(shadow, r);
    const T beta = (next / rho) * (alpha / omega);
    rho = next;
    p = add(r, beta, add(p, -omega, v));
    const List<T> p_image = scaled(d, p);
    v = multiply(a, p_image);
    alpha = rho / product(shadow, v);
    found.x = add(found.x, alpha, p_image);
    r = add(r, -alpha, v);
    found.norms.push_back(static_cast<double>(norm(r)));
    if (found.norms.back() <= tolerance) break;
    const List<T> r_image = scaled(d, r);
    const List<T> t = multiply(a, r_image);
    omega = product(t, r) / product(t, t);
    found.x = add(found.x, omega, r_image);
    r = add(r, -omega, t);
    found.norms.back() = static_cast<double>(norm(r));
  }
  return found;
}

/// In float its residual grows by more than there are digits: `most` iterations then.
template <class T>
Expected<T> cgs_of(const SparseMatrix& a, const List<T>& b, const List<T>& d, double tolerance) {
  constexpr std::size_t most = sizeof(T) == 4 ? 40 : 1000;
  Expected<T> found{List<T>(b.size()), {static_cast<double>(norm(b))}};
  List<T> r = b;
  const List<T> shadow = b;
  List<T> p(b.size()), q(b.size());
  T rho = 1;
  while (found.norms.back() > tolerance && found.norms.size() <= most) {
    const T next = product(shadow, r);
    const T beta = next / rho;
    rho = next;
    const List<T> u = add(r, beta, q);
    p = add(u, beta, add(q, beta, p));
    const List<T> v = multiply(a, scaled(d, p));
    const T alpha = rho / product(shadow, v);
    q = add(u, -alpha, v);
    List<T> s = u;
    for (std::size_t k = 0; k < s.size(); ++k) s[k] = s[k] + q[k];
    const List<T> s_image = scaled(d, s);
    found.x = add(found.x, alpha, s_image);
    r = add(r, -alpha, multiply(a, s_image));
    found.norms.push_back(static_cast<double>(norm(r)));
  }
  return found;
}

/// The transpose, row by row of it.
SparseMatrix columns_of(const SparseMatrix& a) {
  SparseMatrix t{a.columns, a.rows, {0}, {}, {}};
  for (std::int64_t column = 0; column < a.columns; ++column) {
    for (std::size_t row = 0; row + 1 < a.at.size(); ++row)
      for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k)
        if (a.column[k] == column) {
          t.column.push_back(static_cast<std::int32_t>(row));
          t.value.push_back(a.value[k]);
        }
    t.at.push_back(static_cast<std::int64_t>(t.column.size()));
  }
  return t;
}

template <class T>
Expected<T> bicg_of(const SparseMatrix& a, const List<T>& b, const List<T>& d, double tolerance) {
  const SparseMatrix transpose = columns_of(a);
  Expected<T> found{List<T>(b.size()), {static_cast<double>(norm(b))}};
  List<T> r = b, shadow = b;
  List<T> p(b.size()), shadow_p(b.size());
  T rho = 1;
  while (found.norms.back() > tolerance) {
    const List<T> z = scaled(d, r);
    const T next = product(shadow, z);
    const T beta = next / rho;
    rho = next;
    p = add(z, beta, p);
    shadow_p = add(scaled(d, shadow), beta, shadow_p);
    const List<T> w = multiply(a, p);
    const T alpha = rho / product(shadow_p, w);
    found.x = add(found.x, alpha, p);
    r = add(r, -alpha, w);
    shadow = add(shadow, -alpha, multiply(transpose, shadow_p));
    found.norms.push_back(static_cast<double>(norm(r)));
  }
  return found;
}

template <class T>
Expected<T> richardson_of(const SparseMatrix& a, const List<T>& b, const List<T>& d, T damping, double tolerance) {
  constexpr std::size_t most = 50;
  Expected<T> found{List<T>(b.size()), {static_cast<double>(norm(b))}};
  List<T> r = b;
  while (found.norms.back() > tolerance && found.norms.size() <= most) {
    const List<T> z = scaled(d, r);
    found.x = add(found.x, damping, z);
    r = add(r, -damping, multiply(a, z));
    found.norms.push_back(static_cast<double>(norm(r)));
  }
  return found;
}

/// One cycle of up to `restart` iterations from x; appends the norms.
template <class T>
void gmres_cycle(const SparseMatrix& a, const List<T>& b, const List<T>& d, std::size_t restart, double tolerance,
                 Expected<T>& found) {
  List<T> r = multiply(a, found.x);
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = b[k] - r[k];
  const auto times = [](T factor, List<T> u) {
    for (T& element : u) element = factor * element;
    return u;
  };
  List<List<T>> v{times(T(1) / norm(r), r)};
  List<List<T>> h;  // columns
  List<T> cosines, sines, g{norm(r)};
  while (h.size() < restart && found.norms.back() > tolerance) {
    List<T> w = multiply(a, scaled(d, v.back()));
    List<T> column(v.size());
    for (int pass = 0; pass < 2; ++pass) {
      List<T> dots;
      for (const List<T>& u : v) dots.push_back(product(w, u));
      for (std::size_t k = 0; k < v.size(); ++k) {
        w = add(w, -dots[k], v[k]);
        column[k] = pass == 0 ? dots[k] : column[k] + dots[k];
      }
    }
    column.push_back(norm(w));
    v.push_back(times(T(1) / norm(w), w));
    for (std::size_t k = 0; k < h.size(); ++k) {
      const T upper = std::fma(sines[k], column[k + 1], cosines[k] * column[k]);
      column[k + 1] = std::fma(cosines[k], column[k + 1], -(sines[k] * column[k]));
      column[k] = upper;
    }
    const T last = column.back();
    column.pop_back();
    const T first = column.back() * column.back();
    const T length = std::sqrt(first + last * last);
    cosines.push_back(column.back() / length);
    sines.push_back(last / length);
    column.back() = length;
    h.push_back(column);
    const T before = g.back();
    g.back() = cosines.back() * before;
    g.push_back(-(sines.back() * before));
    found.norms.push_back(static_cast<double>(std::abs(g.back())));
  }
  List<T> y(h.size());
  for (std::size_t row = h.size(); row-- > 0;) {
    T sum = g[row];
    for (std::size_t k = row + 1; k < h.size(); ++k) sum = std::fma(-h[k][row], y[k], sum);
    y[row] = sum / h[row][row];
  }
  List<T> u(b.size());
  for (std::size_t k = 0; k < y.size(); ++k) u = add(u, y[k], v[k]);
  const List<T> z = scaled(d, u);
  for (std::size_t k = 0; k < z.size(); ++k) found.x[k] = found.x[k] + z[k];
}

template <class T>
Expected<T> gmres_of(const SparseMatrix& a, const List<T>& b, const List<T>& d, double tolerance) {
  Expected<T> found{List<T>(b.size()), {static_cast<double>(norm(b))}};
  while (found.norms.back() > tolerance) gmres_cycle(a, b, d, 7, tolerance, found);
  return found;
}

template <class T>
void expect_bits_of(const SparseMatrix& a, const std::string& matrix, const std::string& solver, bool jacobi,
                    double relative) {
  const List<T> d = jacobi ? inverse_diagonal<T>(a) : List<T>();
  const List<T> b(static_cast<std::size_t>(a.rows), T(1));
  const double tolerance = relative * static_cast<double>(norm(b));
  const Expected<T> expected = solver == "gmres"      ? gmres_of<T>(a, b, d, tolerance)
                               : solver == "bicgstab" ? bicgstab_of<T>(a, b, d, tolerance)
                               : solver == "cgs"      ? cgs_of<T>(a, b, d, tolerance)
                                                      : bicg_of<T>(a, b, d, tolerance);
  expect_bits(expected, matrix, "solver: " + solver + (solver == "gmres" ? ", restart: 7" : ""),
              jacobi ? "jacobi" : "none", relative);
}

struct GeneratedMatrix {
  const char* keys;
  SparseMatrix matrix;
};

std::vector<GeneratedMatrix> generated() {
  return {{"generator: convection-diffusion, nodes: [23, 17], velocity: [0.7, -0.3]",
           convection_diffusion_matrix({23, 17}, {0.7, -0.3})},
          {"generator: convection-diffusion, nodes: [30, 40], velocity: [-0.5, 0.25]",
           convection_diffusion_matrix({30, 40}, {-0.5, 0.25})},
          {"generator: poisson, nodes: [9, 8, 7]", poisson_matrix({9, 8, 7}, 7)},
          {"generator: arrow, rows: 700", arrow_matrix(700)},
          {"generator: tridiagonal, rows: 1", tridiagonal_matrix(1)}};
}

class Krylov : public ::testing::TestWithParam<const char*> {};

TEST_P(Krylov, HasTheBitsOfItsDefinition) {
  for (const auto& [keys, matrix] : generated()) {
    SCOPED_TRACE(keys);
    expect_bits_of<double>(matrix, keys, GetParam(), true, 0.000001);
    expect_bits_of<double>(matrix, keys, GetParam(), false, 0.000001);
    expect_bits_of<float>(matrix, keys, GetParam(), true, 0.0009765625);
  }
}

TEST_P(Krylov, SolvesWhatIsNotSymmetric) {
  const Result found = solve_system(linear_case(
      "matrix: {generator: convection-diffusion, nodes: [40, 30], velocity: [2, -1]}, rhs: {solution: random}",
      std::string("relative_tolerance: 1e-12, solver: ") + GetParam()));
  EXPECT_EQ(found.last.status, Status::converged) << found.last.message;
  EXPECT_LT(found.errors.value().linf, 1e-10);
}

TEST_P(Krylov, DoesNotSolveWhatHasNoSolution) {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "a.mtx") << "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n";
  const Result found =
      solve_system(linear_case("matrix: a.mtx", std::string("preconditioner: none, solver: ") + GetParam(),
                               (folder.path / "case.yaml").string()));
  if (std::string(GetParam()) == "cgs") {  // it is started again, and its residual grows
    EXPECT_EQ(found.last.status, Status::not_converged) << found.last.message;
    return;
  }
  EXPECT_EQ(found.last.status, Status::diverged) << found.last.message;
  EXPECT_THAT(found.last.message, ::testing::HasSubstr("in iteration "));
}

INSTANTIATE_TEST_SUITE_P(Methods, Krylov, ::testing::Values("bicgstab", "gmres", "cgs", "bicg"));

TEST(Gmres, FindsTheSolutionOnceTheSpaceIsExhausted) {
  // A permutation: its residual does not fall before the last iteration.
  const TemporaryFolder folder;
  std::ofstream(folder.path / "a.mtx")
      << "%%MatrixMarket matrix coordinate pattern general\n5 5 5\n1 5\n2 1\n3 2\n4 3\n5 4\n";
  std::ofstream(folder.path / "b.mtx") << "%%MatrixMarket matrix coordinate real general\n5 1 1\n1 1 1\n";
  const Result found =
      solve_system(linear_case("matrix: a.mtx, rhs: {file: b.mtx}", "preconditioner: none, solver: gmres",
                               (folder.path / "case.yaml").string()));
  EXPECT_EQ(found.last.status, Status::converged) << found.last.message;
  EXPECT_EQ(found.norms, (List<double>{1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(found.x, (List<double>{0, 0, 0, 0, 1}));
}

/// The matrix of these lines without a preconditioner, and b = 1 unless there are lines of it.
Result solve_lines(const std::string& matrix, const std::string& solver, const std::string& rhs = "") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "a.mtx") << "%%MatrixMarket matrix coordinate real general\n" << matrix;
  std::ofstream(folder.path / "b.mtx") << "%%MatrixMarket matrix coordinate real general\n" << rhs;
  return solve_system(linear_case(rhs.empty() ? "matrix: a.mtx" : "matrix: a.mtx, rhs: {file: b.mtx}",
                                  "preconditioner: none, solver: " + solver, (folder.path / "case.yaml").string()));
}

class TwoSided : public ::testing::TestWithParam<const char*> {};

TEST_P(TwoSided, GivesUpWhereEveryStartBreaksDown) {
  // For a rotation by a right angle the matrix times the residual is orthogonal to it; the other sum overflows.
  for (const char* matrix : {"2 2 2\n1 2 1\n2 1 -1\n", "2 2 2\n1 1 1e308\n2 2 1e308\n"}) {
    const Result found = solve_lines(matrix, GetParam());
    EXPECT_EQ(found.last.status, Status::diverged);
    EXPECT_THAT(found.last.message,
                ::testing::StartsWith(std::string(GetParam()) + " breaks down in iteration 1: "
                                                                "the matrix times the direction is orthogonal to "));
    EXPECT_EQ(found.last.iterations, 0);
    EXPECT_DOUBLE_EQ(found.last.residual.value(), std::sqrt(2.0));
    EXPECT_EQ(found.x, List<double>(2));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, TwoSided, ::testing::Values("bicgstab", "cgs", "bicg"));

class Lanczos : public ::testing::TestWithParam<const char*> {};

TEST_P(Lanczos, GoesOnAfterABreakdown) {
  // The first iteration leaves a residual orthogonal to its shadow; started again, one more solves the system.
  const Result found = solve_lines("2 2 3\n1 1 1\n2 1 1\n2 2 2\n", GetParam(), "2 1 1\n1 1 1\n");
  EXPECT_EQ(found.last.status, Status::converged) << found.last.message;
  EXPECT_EQ(found.norms, (List<double>{1, 1, 0}));
  EXPECT_EQ(found.x, (List<double>{1, -0.5}));
}

INSTANTIATE_TEST_SUITE_P(Methods, Lanczos, ::testing::Values("cgs", "bicg"));

TEST(BiCg, IsConjugateGradientsForASymmetricMatrix) {
  for (const char* matrix : {"generator: poisson, nodes: [31, 40]", "generator: arrow, rows: 700"})
    for (const char* preconditioner : {"none", "jacobi"}) {
      SCOPED_TRACE(matrix);
      const auto solve = [&](const char* solver) {
        return solve_system(linear_case(fmt::format("matrix: {{{}}}, rhs: {{solution: random}}", matrix),
                                        fmt::format("solver: {}, preconditioner: {}", solver, preconditioner)));
      };
      const Result cg = solve("cg"), bicg = solve("bicg");
      EXPECT_GT(cg.norms.size(), 3U);
      EXPECT_EQ(bicg.norms, cg.norms);
      EXPECT_EQ(bicg.x, cg.x);
    }
}

template <class T>
void expect_bits_of_richardson(const SparseMatrix& a, const std::string& matrix, bool jacobi, const char* damping) {
  const List<T> d = jacobi ? inverse_diagonal<T>(a) : List<T>();
  const List<T> b(static_cast<std::size_t>(a.rows), T(1));
  expect_bits(richardson_of<T>(a, b, d, static_cast<T>(std::stod(damping)), 0.01 * static_cast<double>(norm(b))),
              matrix, fmt::format("solver: richardson, damping: {}", damping), jacobi ? "jacobi" : "none", 0.01);
}

TEST(Richardson, HasTheBitsOfItsDefinition) {
  for (const auto& [keys, matrix] : generated()) {
    SCOPED_TRACE(keys);
    expect_bits_of_richardson<double>(matrix, keys, true, "1");
    expect_bits_of_richardson<double>(matrix, keys, true, "0.7");
    expect_bits_of_richardson<double>(matrix, keys, false, "0.1");
    expect_bits_of_richardson<float>(matrix, keys, true, "0.7");
  }
}

TEST(Richardson, SolvesWhereTheDiagonalDominates) {
  const Result found = solve_system(linear_case(
      "matrix: {generator: convection-diffusion, nodes: [9, 7], velocity: [2, -1]}, rhs: {solution: random}",
      "relative_tolerance: 1e-12, solver: richardson"));
  EXPECT_EQ(found.last.status, Status::converged) << found.last.message;
  EXPECT_LT(found.errors.value().linf, 1e-11);
  // No eigenvalue is further from 1 than cos(pi / 8) + cos(pi / 10) over 2.
  EXPECT_LT(found.last.iterations, 700);
}

TEST(Richardson, SaysThatItDiverges) {
  // The largest eigenvalue is nearly 4: the residual grows nearly threefold, until its square is no number.
  const Result found = solve_system(
      linear_case("matrix: {generator: tridiagonal, rows: 60}", "solver: richardson, preconditioner: none"));
  EXPECT_EQ(found.last.status, Status::diverged);
  EXPECT_THAT(found.last.message, ::testing::AllOf(::testing::StartsWith("the residual is not finite in iteration 3"),
                                                   ::testing::HasSubstr("a smaller method.damping")));
  EXPECT_GT(found.last.iterations, 300);
  EXPECT_LT(found.last.iterations, 350);
}

}  // namespace
}  // namespace quoin::test
