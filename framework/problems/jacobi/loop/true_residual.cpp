#include "problems/jacobi/loop/true_residual.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "problems/jacobi/scheme/stencil.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {

namespace {

/// A running sum of squares, and the largest.
struct Squares {
  void add(double r) {
    sum += r * r;
    largest = std::max(largest, std::abs(r));
  }
  double sum = 0.0, largest = 0.0;
};

TrueResidual residual_of(const Squares& squares, const JacobiSetup& setup) {
  return {std::sqrt(squares.sum * setup.grid.dx * setup.grid.dy) / setup.norm_divisor(), squares.largest};
}

TrueResidual diffusion_residual(const IterationLoop& loop) {
  const JacobiSetup& setup = loop.setup();
  const Medium& medium = setup.medium();
  const Balances& balances = medium.balances;
  const Sides sides = setup.sides_in_double();
  const std::int64_t nx = setup.grid.nx;
  const std::int64_t ny = setup.grid.ny;
  std::vector<double> u;
  u.reserve(static_cast<std::size_t>(nx * ny));
  loop.read([&](std::int64_t /*j*/, std::span<const std::byte> row) {
    for (std::int64_t i = 0; i < nx; ++i)
      u.push_back(value_at(row, static_cast<std::size_t>(i), setup.method.precision));
  });
  const auto at = [&](std::int64_t i, std::int64_t j) {
    if (balances.x.periodic()) i = (i + nx) % nx;
    if (balances.y.periodic()) j = (j + ny) % ny;
    if (i < 0 || i == nx) return (i < 0 ? sides.left : sides.right)[static_cast<std::size_t>(j)];
    if (j < 0 || j == ny) return (j < 0 ? sides.bottom : sides.top)[static_cast<std::size_t>(i)];
    return u[static_cast<std::size_t>(j * nx + i)];
  };
  Squares squares;
  for (std::int64_t j = 0; j < ny; ++j) {
    for (std::int64_t i = 0; i < nx; ++i) {
      const double centre = at(i, j);
      const double across =
          balances.west(i, j) * (centre - at(i - 1, j)) + balances.west(i + 1, j) * (centre - at(i + 1, j));
      const double down =
          balances.south(i, j) * (centre - at(i, j - 1)) + balances.south(i, j + 1) * (centre - at(i, j + 1));
      squares.add(medium.f[static_cast<std::size_t>(j * nx + i)] - (across + down + balances.sink_at(i, j) * centre));
    }
  }
  return residual_of(squares, setup);
}

}  // namespace

TrueResidual true_residual(const IterationLoop& loop) {
  const JacobiSetup& setup = loop.setup();
  if (setup.beyond_poisson) return diffusion_residual(loop);
  const Grid& grid = setup.grid;
  const Stencil stencil(grid.dx, grid.dy);
  const Sides sides = setup.sides_in_double();
  const NodeFormula source(setup.the_case(), "problem.source", grid, Precision::float64);
  const auto nx = static_cast<std::size_t>(grid.nx);
  std::vector<double> below(nx + 2);
  std::vector<double> centre(nx + 2);
  std::vector<double> above(nx + 2);
  std::vector<double> right(nx);
  std::ranges::copy(sides.bottom, centre.begin() + 1);
  Squares squares;
  const auto finish = [&](std::int64_t j) {  // row j, with both of its neighbours
    source.row(j, right);
    for (std::size_t i = 1; i <= nx; ++i) {
      const double au =
          std::fma(stencil.diagonal, centre[i],
                   -std::fma(stencil.b, below[i] + above[i], stencil.a * (centre[i - 1] + centre[i + 1])));
      squares.add(right[i - 1] - au);
    }
  };
  const auto move_up = [&] {
    below.swap(centre);
    centre.swap(above);
  };
  loop.read([&](std::int64_t j, std::span<const std::byte> row) {
    for (std::size_t i = 0; i < nx; ++i) above[i + 1] = value_at(row, i, setup.method.precision);
    above.front() = sides.left[static_cast<std::size_t>(j)];
    above.back() = sides.right[static_cast<std::size_t>(j)];
    if (j > 0) finish(j - 1);
    move_up();
  });
  std::ranges::copy(sides.top, above.begin() + 1);
  finish(grid.ny - 1);
  return residual_of(squares, setup);
}

void require_squares(const JacobiSetup& setup, double tolerance, const std::function<double()>& largest) {
  const bool narrow = setup.method.precision == Precision::float32;
  const double least = narrow ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  const Grid& grid = setup.grid;
  const double area = grid.dx * static_cast<double>(grid.nx) * grid.dy * static_cast<double>(grid.ny);
  // As long as the squares hold, so does the sum of them times dx dy, with an area of 1 or less.
  const double at_a_node = tolerance * setup.norm_divisor() / std::sqrt(std::max(area, 1.0));
  if (at_a_node * at_a_node >= least || (tolerance == 0.0 && largest() == 0.0)) return;
  const Case& the_case = setup.the_case();
  const char* key = the_case.has("method.tolerance") ? "method.tolerance" : "method.relative_tolerance";
  throw the_case.error_at(
      key,
      fmt::format("this is a residual of {:.3g}, whose square {} does not hold, so that the norm would be 0 too early; "
                  "multiply source, sides and start by a number{}",
                  tolerance, narrow ? "float" : "double", narrow ? ", or use precision: double" : ""));
}

}  // namespace quoin
