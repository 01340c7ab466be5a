// Balances of cells: the bounds of their eigenvalues against those that are computed, and coarser cells.

#include "problems/jacobi/setup/balances.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace quoin {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// The matrix of unknown after unknown, found by what the definition says of each.
Matrix matrix_of(const Balances& balances) {
  const std::int64_t nx = balances.x.count;
  const std::int64_t ny = balances.y.count;
  const std::int64_t nz = balances.z.count;
  const auto size = static_cast<std::size_t>(nx * ny * nz);
  Matrix a(size, std::vector<double>(size));
  const auto couple = [&](std::int64_t row, std::int64_t i, std::int64_t j, std::int64_t k, double face) {
    if (balances.x.periodic()) i = (i + nx) % nx;
    if (balances.y.periodic()) j = (j + ny) % ny;
    if (balances.z.periodic()) k = (k + nz) % nz;
    const auto own = static_cast<std::size_t>(row);
    a[own][own] += face;
    if (i >= 0 && j >= 0 && k >= 0 && i < nx && j < ny && k < nz)
      a[own][static_cast<std::size_t>((k * ny + j) * nx + i)] -= face;
  };
  for (std::int64_t k = 0; k < nz; ++k) {
    for (std::int64_t j = 0; j < ny; ++j) {
      for (std::int64_t i = 0; i < nx; ++i) {
        const std::int64_t row = (k * ny + j) * nx + i;
        couple(row, i - 1, j, k, balances.west(i, j, k));
        couple(row, i + 1, j, k, balances.west(i + 1, j, k));
        couple(row, i, j - 1, k, balances.south(i, j, k));
        couple(row, i, j + 1, k, balances.south(i, j + 1, k));
        couple(row, i, j, k - 1, balances.behind(i, j, k));
        couple(row, i, j, k + 1, balances.behind(i, j, k + 1));
        a[static_cast<std::size_t>(row)][static_cast<std::size_t>(row)] += balances.sink_at(i, j, k);
      }
    }
  }
  return a;
}

/// All eigenvalues of a symmetric matrix by Jacobi's rotations, sorted.
std::vector<double> eigenvalues(Matrix a) {
  const std::size_t n = a.size();
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::fabs(a[p][q]) < 1e-300) continue;
        const double theta = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const double c = std::cos(theta);
        const double s = std::sin(theta);
        for (std::size_t k = 0; k < n; ++k) {
          const double kp = a[k][p];
          a[k][p] = c * kp - s * a[k][q];
          a[k][q] = s * kp + c * a[k][q];
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double pk = a[p][k];
          a[p][k] = c * pk - s * a[q][k];
          a[q][k] = s * pk + c * a[q][k];
        }
      }
    }
  }
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(a[k][k]);
  std::sort(values.begin(), values.end());
  return values;
}

/// Of the matrix over `scale`: those of the symmetric D^-1/2 A D^-1/2.
std::vector<double> eigenvalues_over(const Balances& balances, const std::vector<double>& scale) {
  Matrix a = matrix_of(balances);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) a[i][j] /= std::sqrt(scale[i] * scale[j]);
  return eigenvalues(std::move(a));
}

struct Ends {
  SideType left, right, bottom, top;
};

void expect_within_bounds(const Balances& balances) {
  std::vector<double> volumes;
  std::vector<double> diagonal;
  for (std::int64_t k = 0; k < balances.z.count; ++k) {
    for (std::int64_t j = 0; j < balances.y.count; ++j) {
      for (std::int64_t i = 0; i < balances.x.count; ++i) {
        volumes.push_back(balances.volume(i, j, k));
        diagonal.push_back(balances.diagonal(i, j, k));
      }
    }
  }
  const Bounds bounds = bounds_of(balances);
  const std::size_t least = balances.floating() ? 1 : 0;  // behind the 0 of a constant
  const std::vector<double> of_operator = eigenvalues_over(balances, volumes);
  const std::vector<double> of_jacobi = eigenvalues_over(balances, diagonal);
  EXPECT_NEAR(least == 1 ? of_operator[0] : 0.0, 0.0, 1e-9);
  EXPECT_LE(bounds.operator_least, of_operator[least] * (1 + 1e-9));
  EXPECT_GE(bounds.operator_least, 0.01 * of_operator[least]);
  EXPECT_LE(bounds.jacobi.least, of_jacobi[least] * (1 + 1e-9));
  EXPECT_GE(bounds.jacobi.least, 0.005 * of_jacobi[least]);
  EXPECT_GE(bounds.jacobi.most, of_jacobi.back() * (1 - 1e-9));
  EXPECT_LE(bounds.jacobi.most, 2.0 + 1e-12);
}

TEST(Bounds, HoldAllEigenvalues) {
  constexpr auto d = SideType::dirichlet;
  constexpr auto n = SideType::neumann;
  constexpr auto r = SideType::robin;
  constexpr auto p = SideType::periodic;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> between(0.2, 3.0);
  for (const Ends& ends : {Ends{d, d, d, d}, Ends{n, d, n, n}, Ends{n, n, n, n}, Ends{p, p, d, n}, Ends{p, p, p, p},
                           Ends{r, n, n, n}, Ends{r, r, r, r}, Ends{p, p, n, r}, Ends{d, n, r, n}}) {
    for (const bool sinks : {false, true}) {
      const Axis x(0.0, 1.0, 6, ends.left, ends.right);
      const Axis y(0.0, 2.0, 5, ends.bottom, ends.top);
      std::vector<double> k;
      for (int cell = 0; cell < 30; ++cell) k.push_back(between(random));
      Balances balances({6, 5, k}, x, y);
      for (std::int64_t j = 0; j < y.count; ++j) {
        for (std::int64_t i = 0; i < x.count; ++i) {
          double& sink = balances.sink_at(i, j);
          if (sinks) sink += balances.volume(i, j) * between(random);
          if (ends.left == r && i == 0) sink += between(random) * y.width(j) / x.spacing;
          if (ends.right == r && i == x.count - 1) sink += between(random) * y.width(j) / x.spacing;
          if (ends.bottom == r && j == 0) sink += between(random) * x.width(i) / y.spacing;
          if (ends.top == r && j == y.count - 1) sink += between(random) * x.width(i) / y.spacing;
        }
      }
      expect_within_bounds(balances);
    }
  }
}

TEST(Bounds, HoldAllEigenvaluesInSpace) {
  constexpr auto d = SideType::dirichlet;
  constexpr auto n = SideType::neumann;
  constexpr auto r = SideType::robin;
  constexpr auto p = SideType::periodic;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> between(0.2, 3.0);
  for (const auto& ends : {std::array{d, d, d, n, d, d}, std::array{n, n, n, n, n, n}, std::array{p, p, n, d, p, p},
                           std::array{r, n, n, r, r, r}, std::array{p, p, p, p, p, p}, std::array{d, n, r, n, n, r}}) {
    const Axis x(0.0, 1.0, 3, ends[0], ends[1]);
    const Axis y(0.0, 2.0, 4, ends[2], ends[3]);
    const Axis z(-1.0, 1.0, 3, ends[4], ends[5]);
    std::vector<double> k;
    for (int cell = 0; cell < 36; ++cell) k.push_back(between(random));
    Balances balances({3, 4, k, 3}, x, y, z);
    const auto robin = [&](const Axis& axis, std::int64_t at, double section) {
      double sink = 0.0;
      if (axis.lower == r && at == 0) sink += between(random) * section / axis.spacing;
      if (axis.upper == r && at == axis.count - 1) sink += between(random) * section / axis.spacing;
      return sink;
    };
    for (std::int64_t l = 0; l < z.count; ++l) {
      for (std::int64_t j = 0; j < y.count; ++j) {
        for (std::int64_t i = 0; i < x.count; ++i) {
          balances.sink_at(i, j, l) += robin(x, i, y.width(j) * z.width(l)) + robin(y, j, x.width(i) * z.width(l)) +
                                       robin(z, l, x.width(i) * y.width(j));
        }
      }
    }
    expect_within_bounds(balances);
  }
}

TEST(Balances, AreSymmetric) {
  const Matrix a = matrix_of(Balances({2, 2, {1, 2, 3, 4}}, Axis(0.0, 1.0, 2, SideType::neumann, SideType::neumann),
                                      Axis(0.0, 1.0, 2, SideType::neumann, SideType::neumann)));
  // Half of the lowest left cell's k over dx dx, between the corner and the node right of it.
  EXPECT_DOUBLE_EQ(a[0][1], -0.5 * 1 * 4);
  EXPECT_DOUBLE_EQ(a[3][4], -0.5 * (1 + 3) * 4);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) EXPECT_EQ(a[i][j], a[j][i]);
}

TEST(Cells, CoarserOnesHaveTheMeanOfWhatTheyCover) {
  EXPECT_DOUBLE_EQ((Cells{2, 2, {1, 3, 2, 10}}.coarser(1, 1).k[0]), 4.0);
  const Cells uneven = Cells{5, 1, {1, 1, 4, 8, 8}}.coarser(2, 1);  // of two and a half each
  EXPECT_DOUBLE_EQ(uneven.k[0], 0.8 * 1 + 0.2 * 4);
  EXPECT_DOUBLE_EQ(uneven.k[1], 0.2 * 4 + 0.8 * 8);
}

}  // namespace
}  // namespace quoin
