#pragma once

// Linear systems as the tests solve them, and the order of every sum written as plain loops.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "numerics/jacobi/solver.hpp"
#include "problems/linear_system/problem.hpp"

namespace quoin::test {

inline Case linear_case(const std::string& problem, const std::string& method = "",
                        const std::string& name = "case.yaml") {
  return Case::parse("problem: {type: linear-system, " + problem + "}\nmethod: {" + method + "}\nbackend: serial\n",
                     name, {}, KeyTable::standard());
}

struct Result {
  Progress last;
  std::vector<double> norms, x;
  std::optional<Errors> errors;
};

inline Result finish(LinearSystemProblem& problem) {
  const Solved solved = finish(static_cast<Problem&>(problem));
  Result result{solved.last, solved.norms, {}, solved.errors};
  for (std::size_t k = 0; k < solved.u.size(); ++k) result.x.push_back(solved.u.at(k));
  return result;
}

inline Result solve_system(const Case& the_case) {
  LinearSystemProblem problem(the_case);
  problem.set_up(executor());
  return finish(problem);
}

/// The pairwise tree over a list filled up with zeros.
template <class T>
T tree(std::vector<T> list) {
  if (list.empty()) return T(0);
  list.resize(std::bit_ceil(list.size()));
  for (std::size_t width = list.size() / 2; width > 0; width /= 2)
    for (std::size_t k = 0; k < width; ++k) list[k] = list[2 * k] + list[2 * k + 1];
  return list[0];
}

template <class T>
using List = std::vector<T>;

/// A row in segments of 32 entries, each a chain, and the tree over them.
template <class T>
T multiply_row(const SparseMatrix& a, std::size_t row, const List<T>& x) {
  List<T> segments;
  for (std::int64_t k = a.at[row]; k < a.at[row + 1]; ++k) {
    if ((k - a.at[row]) % 32 == 0) segments.push_back(T(0));
    const auto place = static_cast<std::size_t>(k);
    segments.back() =
        std::fma(static_cast<T>(a.value[place]), x[static_cast<std::size_t>(a.column[place])], segments.back());
  }
  return tree(segments);
}

template <class T>
List<T> multiply(const SparseMatrix& a, const List<T>& x) {
  List<T> y;
  for (std::size_t row = 0; row + 1 < a.at.size(); ++row) y.push_back(multiply_row(a, row, x));
  return y;
}

/// Blocks of 512 products, rows of 16: pairs down the rows, then across, then the tree over blocks.
template <class T>
T product(const List<T>& u, const List<T>& v) {
  List<T> blocks;
  const auto term = [&](std::size_t k) { return k < u.size() ? u[k] * v[k] : T(0); };
  for (std::size_t first = 0; first < u.size(); first += 512) {
    List<T> pairs(8);
    for (std::size_t p = 0; p < 8; ++p)
      for (std::size_t j = 0; j < 32; ++j)
        pairs[p] = pairs[p] + (term(first + 16 * j + 2 * p) + term(first + 16 * j + 2 * p + 1));
    blocks.push_back(tree(pairs));
  }
  return tree(blocks);
}

template <class T>
T norm(const List<T>& r) {
  return std::sqrt(product(r, r));
}

template <class T>
List<T> inverse_diagonal(const SparseMatrix& a) {
  List<T> d;
  for (std::size_t row = 0; row + 1 < a.at.size(); ++row)
    for (std::int64_t k = a.at[row]; k < a.at[row + 1]; ++k)
      if (a.column[static_cast<std::size_t>(k)] == static_cast<std::int64_t>(row))
        d.push_back(static_cast<T>(1.0 / a.value[static_cast<std::size_t>(k)]));
  return d;
}

/// Of the elements one by one; without a diagonal r itself.
template <class T>
List<T> scaled(const List<T>& d, List<T> r) {
  for (std::size_t k = 0; k < d.size(); ++k) r[k] = d[k] * r[k];
  return r;
}

/// r + a u
template <class T>
List<T> add(const List<T>& r, T a, const List<T>& u) {
  List<T> sum;
  for (std::size_t k = 0; k < r.size(); ++k) sum.push_back(std::fma(a, u[k], r[k]));
  return sum;
}

/// What a method comes to by its definition.
template <class T>
struct Expected {
  List<T> x;
  List<double> norms;
};

/// Conjugate gradients from zero for a system that needs no replacement of its residual; precondition(r) = M r.
template <class T, class Precondition>
Expected<T> conjugate_gradients(const SparseMatrix& a, const List<T>& b, double tolerance,
                                Precondition&& precondition) {
  Expected<T> found{List<T>(b.size()), {static_cast<double>(norm(b))}};
  List<T> r = b;
  List<T> z = precondition(r);
  List<T> p(b.size());
  T rho = product(r, z);
  T beta = 0;
  while (found.norms.back() > tolerance) {
    p = add(z, beta, p);
    const List<T> w = multiply(a, p);
    const T alpha = rho / product(p, w);
    found.x = add(found.x, alpha, p);
    r = add(r, -alpha, w);
    found.norms.push_back(static_cast<double>(norm(r)));
    z = precondition(r);
    const T next = product(r, z);
    beta = next / rho;
    rho = next;
  }
  return found;
}

/// Solves for b = 1 with `method`, the precision of T and that tolerance; where that is not met, as many iterations.
template <class T>
void expect_bits(const Expected<T>& expected, const std::string& matrix, const std::string& method,
                 const std::string& preconditioner, double relative) {
  const bool met = expected.norms.back() <= relative * expected.norms.front();
  const Result found = solve_system(
      linear_case("matrix: {" + matrix + "}",
                  fmt::format("{}, preconditioner: {}, precision: {}, relative_tolerance: {}, max_iterations: {}",
                              method, preconditioner, sizeof(T) == 4 ? "float" : "double", relative,
                              met ? std::size_t{10000} : expected.norms.size() - 1)));
  EXPECT_EQ(found.last.status, met ? Status::converged : Status::not_converged) << found.last.message;
  EXPECT_EQ(found.norms, expected.norms);
  EXPECT_EQ(found.x, List<double>(expected.x.begin(), expected.x.end()));
}

}  // namespace quoin::test
