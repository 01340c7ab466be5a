#pragma once

// Small real matrices, most of them from textbooks and galleries of test matrices, each with what is known of it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace quoin::test {

enum class Kind {
  definite,   ///< symmetric and positive definite: all solvers
  any,        ///< none of the special ones: bicgstab and gmres
  hard,       ///< x'A x = 0 for all x, so that bicgstab breaks down: gmres
  consistent  ///< singular, symmetric and semidefinite: cg and gmres with a right-hand side in its range
};

struct SmallSystem {
  std::string name;
  std::size_t rows;
  Kind kind;
  std::function<double(std::size_t i, std::size_t j)> entry;
};

inline std::ostream& operator<<(std::ostream& stream, const SmallSystem& system) { return stream << system.name; }

inline double number(std::size_t k) { return static_cast<double>(k); }
inline std::size_t distance(std::size_t i, std::size_t j) { return i > j ? i - j : j - i; }

/// The same numbers from -1 to 1 on every machine.
inline std::vector<double> random_numbers(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<double> numbers(count);
  for (double& one : numbers) one = static_cast<double>(random() >> 11) * 0x1p-52 - 1.0;
  return numbers;
}

inline double below_diagonal_above(std::size_t i, std::size_t j, double below, double diagonal, double above) {
  return i == j ? diagonal : i == j + 1 ? below : j == i + 1 ? above : 0.0;
}

/// The sum of the triangles' own matrices for -u_xx - u_yy with linear elements: a square of side x side inner nodes
/// whose cells are cut along one diagonal and stretched to twice their height along x.
inline double stiffness(std::size_t side, std::size_t i, std::size_t j) {
  // Corners of the two triangles of a cell, and the gradients of their shape functions times 2.
  constexpr int corners[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
  constexpr double slopes[2][3][2] = {{{-1, 0}, {1, -2}, {0, 2}}, {{0, -2}, {1, 0}, {-1, 2}}};
  const auto n = static_cast<int>(side);
  double sum = 0.0;
  for (int y = 0; y <= n; ++y) {
    for (int x = 0; x <= n; ++x) {
      for (int triangle = 0; triangle < 2; ++triangle) {
        for (int a = 0; a < 3; ++a) {
          for (int b = 0; b < 3; ++b) {
            const auto node = [&](int corner) {
              const int column = x + corners[triangle][corner][0] - 1, row = y + corners[triangle][corner][1] - 1;
              return column < 0 || row < 0 || column >= n || row >= n ? -1 : row * n + column;
            };
            if (node(a) != static_cast<int>(i) || node(b) != static_cast<int>(j)) continue;
            const auto& s = slopes[triangle];
            sum += (s[a][0] * s[b][0] + s[a][1] * s[b][1]) / 4.0;
          }
        }
      }
    }
  }
  return sum;
}

/// Nodes of a square of `side` nodes, coupled along the axes, or around corners as well.
inline double laplacian(std::size_t side, bool corners, std::size_t i, std::size_t j) {
  const std::size_t dx = distance(i % side, j % side), dy = distance(i / side, j / side);
  if (dx > 1 || dy > 1 || (!corners && dx + dy > 1)) return 0.0;
  return i != j ? -1.0 : corners ? 8.0 : 4.0;
}

inline std::vector<SmallSystem> small_systems() {
  using N = std::size_t;
  const auto tridiagonal = [](double below, double diagonal, double above) {
    return [=](N i, N j) { return below_diagonal_above(i, j, below, diagonal, above); };
  };
  const auto hilbert = [](N i, N j) { return 1.0 / (number(i + j) + 1.0); };
  const auto shuffled = [](N k, N rows) { return (k * 7 + 3) % rows; };
  const auto binomial = [](N n, N k) {
    double value = 1.0;
    for (N q = 1; q <= k; ++q) value = value * number(n - k + q) / number(q);
    return value;
  };
  const auto some = [numbers = random_numbers(40 * 40)](N i, N j) { return numbers[40 * i + j]; };
  /// B'B + I
  const auto gram = [some](N rows) {
    return [=](N i, N j) {
      double sum = i == j ? 1.0 : 0.0;
      for (N k = 0; k < rows; ++k) sum += some(k, i) * some(k, j);
      return sum;
    };
  };
  return {
      {"One", 1, Kind::definite, [](N, N) { return 3.0; }},
      {"OneNegative", 1, Kind::any, [](N, N) { return -0.125; }},
      {"Identity", 5, Kind::definite, [](N i, N j) { return i == j ? 1.0 : 0.0; }},
      {"Diagonal", 40, Kind::definite, [](N i, N j) { return i == j ? number(i) + 1.0 : 0.0; }},
      {"DiagonalIndefinite", 12, Kind::any, [](N i, N j) { return i == j ? number(i) - 4.5 : 0.0; }},
      {"TwoByTwo", 2, Kind::definite, [](N i, N j) { return i == j ? 2.0 : -1.5; }},
      {"Cycle", 7, Kind::any, [](N i, N j) { return j == (i + 1) % 7 ? 1.0 : 0.0; }},
      {"Exchange", 6, Kind::any, [](N i, N j) { return i + j == 5 ? number(i) + 1.0 : 0.0; }},
      {"PermutedTridiagonal", 23, Kind::definite,
       [=](N i, N j) { return tridiagonal(-1, 2.5, -1)(shuffled(i, 23), shuffled(j, 23)); }},
      {"PermutedColumns", 16, Kind::any, [=](N i, N j) { return tridiagonal(-1, 3, 1)(i, shuffled(j, 16)); }},
      {"Hilbert", 5, Kind::definite, hilbert},
      {"HilbertShifted", 20, Kind::definite, [=](N i, N j) { return hilbert(i, j) + (i == j ? 0.01 : 0.0); }},
      {"Tridiagonal31", 31, Kind::definite, tridiagonal(-1, 2, -1)},
      {"Tridiagonal32", 32, Kind::definite, tridiagonal(-1, 2, -1)},
      {"Tridiagonal33", 33, Kind::definite, tridiagonal(-1, 2, -1)},
      {"ToeplitzUnsymmetric", 50, Kind::any, tridiagonal(-1.5, 4, -0.5)},
      {"SkewShifted", 20, Kind::any, tridiagonal(-3, 2, 3)},
      {"Skew", 10, Kind::hard, tridiagonal(-1, 0, 1)},
      {"Arrow", 35, Kind::definite, [](N i, N j) { return i == j             ? 36.0
                                                          : i == 0 || j == 0 ? 1.0
                                                                             : 0.0; }},
      {"ArrowDown", 34, Kind::definite, [](N i, N j) { return i == j               ? 40.0
                                                              : i == 33 || j == 33 ? -1.0
                                                                                   : 0.0; }},
      {"Bordered", 21, Kind::any,
       [=](N i, N j) {
         if (i < 20 && j < 20) return tridiagonal(-1, 4, -1)(i, j);
         return i == j ? 0.0 : 1.0;
       }},
      {"SaddlePoint", 15, Kind::any,
       [=](N i, N j) {
         if (i < 10 && j < 10) return tridiagonal(-1, 3, -1)(i, j);
         if (i >= 10 && j >= 10) return 0.0;
         return std::max(i, j) - 10 == std::min(i, j) / 2 ? 1.0 : 0.0;
       }},
      {"Rotations", 12, Kind::any, [](N i, N j) { return i / 2 != j / 2 ? 0.0
                                                         : i == j       ? 0.8
                                                         : i < j        ? -0.6
                                                                        : 0.6; }},
      {"BlockDiagonal", 24, Kind::definite,
       [](N i, N j) { return i / 4 != j / 4 ? 0.0
                             : i == j       ? number(i / 4) + 4.0
                                            : 1.0; }},
      {"Beam", 18, Kind::definite,
       [](N i, N j) {
         constexpr double values[] = {6, -4, 1};
         return distance(i, j) > 2 ? 0.0 : values[distance(i, j)];
       }},
      {"MassAndStiffness", 25, Kind::definite, tridiagonal(1.0 / 6 - 3, 2.0 / 3 + 6, 1.0 / 6 - 3)},
      {"Triangles", 25, Kind::definite, [](N i, N j) { return stiffness(5, i, j); }},
      {"FivePoints", 36, Kind::definite, [](N i, N j) { return laplacian(6, false, i, j); }},
      {"NinePoints", 25, Kind::definite, [](N i, N j) { return laplacian(5, true, i, j); }},
      {"Helmholtz", 24, Kind::any, tridiagonal(-1, 1.3, -1)},
      {"Upwind", 36, Kind::any,
       [](N i, N j) {
         return laplacian(6, false, i, j) + (i == j ? 2.0 : j + 1 == i && i % 6 > 0 ? -2.0 : 0.0);
       }},
      {"PathOfSprings", 20, Kind::consistent,
       [=](N i, N j) { return tridiagonal(-1, i == 0 || i == 19 ? 1 : 2, -1)(i, j); }},
      {"RingOfSprings", 17, Kind::consistent,
       [](N i, N j) { return i == j                                        ? 2.0
                             : distance(i, j) == 1 || distance(i, j) == 16 ? -1.0
                                                                           : 0.0; }},
      {"Star", 30, Kind::definite,
       [](N i, N j) { return i == j             ? (i == 0 ? 29.5 : 1.5)
                             : i == 0 || j == 0 ? -1.0
                                                : 0.0; }},
      {"BadlyScaled", 16, Kind::definite,
       [=](N i, N j) {
         return std::ldexp(tridiagonal(-1, 3, -1)(i, j), static_cast<int>((i * 5 % 16 + j * 5 % 16) / 2));
       }},
      {"BadlyScaledRows", 10, Kind::any,
       [=](N i, N j) { return std::ldexp(tridiagonal(-1, 3, 1)(i, j), static_cast<int>(2 * i)); }},
      {"Dense32", 32, Kind::definite, gram(32)},
      {"Dense33", 33, Kind::definite, gram(33)},
      {"DenseUnsymmetric", 33, Kind::any, [some](N i, N j) { return some(i, j) + (i == j ? 12.0 : 0.0); }},
      {"DenseColumn", 40, Kind::any,
       [](N i, N j) {
         return i == j ? 5.0 : j == 3 ? 1.0 / (number(i) + 1.0) : j == i + 1 ? 1.0 : 0.0;
       }},
      {"DenseRow", 40, Kind::any, [](N i, N j) { return i == j   ? 5.0
                                                        : i == 3 ? 0.1
                                                                 : 0.0; }},
      {"UpperTriangular", 25, Kind::any,
       [](N i, N j) { return j < i    ? 0.0
                             : i == j ? 3.0
                                      : 1.0 / (number(j - i) + 1.0); }},
      {"LowerBidiagonal", 30, Kind::any, tridiagonal(0.5, 1, 0)},
      {"Companion", 8, Kind::any,
       [](N i, N j) {
         return i == 0 ? (j == 0 ? 4.0 : 0.25) : j + 1 == i ? 1.0 : i == j ? 2.0 : 0.0;
       }},
      {"Pascal", 6, Kind::definite, [=](N i, N j) { return binomial(i + j, i); }},
      {"Wilkinson", 21, Kind::any,
       [](N i, N j) { return i == j                ? std::abs(number(i) - 10.0)
                             : distance(i, j) == 1 ? 1.0
                                                   : 0.0; }},
      {"Least", 12, Kind::definite, [](N i, N j) { return number(std::min(i, j)) + 1.0; }},
      {"Lehmer", 10, Kind::definite,
       [](N i, N j) { return (number(std::min(i, j)) + 1.0) / (number(std::max(i, j)) + 1.0); }},
      {"Circulant", 15, Kind::any,
       [](N i, N j) {
         constexpr double values[] = {4, -2, 0, 0.5};
         const N offset = (j + 15 - i) % 15;
         return offset < 4 ? values[offset] : 0.0;
       }},
      {"Grcar", 14, Kind::any, [](N i, N j) { return j + 1 == i             ? -1.0
                                                     : j >= i && j <= i + 3 ? 1.0
                                                                            : 0.0; }},
  };
}

}  // namespace quoin::test
