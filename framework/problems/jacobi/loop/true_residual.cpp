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
  return {std::sqrt(squares.sum * setup.grid.dx * setup.grid.dy * setup.grid.along_z.spacing) / setup.norm_divisor(),
          squares.largest};
}

/// Of a field that is held whole: left(i, j, k, at) is the residual at an unknown, where at(i, j, k) are the values of
/// it and of those beside it.
template <class Left>
TrueResidual residual_of_whole(const IterationLoop& loop, const Left& left) {
  const JacobiSetup& setup = loop.setup();
  const Grid& grid = setup.grid;
  const Sides sides = setup.sides_in_double();
  std::vector<double> u;
  u.reserve(static_cast<std::size_t>(grid.nx * grid.rows()));
  loop.read([&](std::int64_t /*row*/, std::span<const std::byte> row) {
    for (std::int64_t i = 0; i < grid.nx; ++i)
      u.push_back(value_at(row, static_cast<std::size_t>(i), setup.method.precision));
  });
  const auto wrapped = [](const Axis& axis, std::int64_t i) {
    return axis.periodic() ? (i + axis.count) % axis.count : i;
  };
  const auto at = [&](std::int64_t column, std::int64_t level, std::int64_t plane) {
    const std::int64_t i = wrapped(grid.along_x, column);
    const std::int64_t j = wrapped(grid.along_y, level);
    const std::int64_t k = wrapped(grid.along_z, plane);
    if (i < 0 || i == grid.nx) return (i < 0 ? sides.left : sides.right)[static_cast<std::size_t>(k * grid.ny + j)];
    if (j < 0 || j == grid.ny) return (j < 0 ? sides.bottom : sides.top)[static_cast<std::size_t>(k * grid.nx + i)];
    if (k < 0 || k == grid.nz) return (k < 0 ? sides.back : sides.front)[static_cast<std::size_t>(j * grid.nx + i)];
    return u[static_cast<std::size_t>((k * grid.ny + j) * grid.nx + i)];
  };
  Squares squares;
  for (std::int64_t k = 0; k < grid.nz; ++k)
    for (std::int64_t j = 0; j < grid.ny; ++j)
      for (std::int64_t i = 0; i < grid.nx; ++i) squares.add(left(i, j, k, at));
  return residual_of(squares, setup);
}

TrueResidual diffusion_residual(const IterationLoop& loop) {
  const Medium& medium = loop.setup().medium();
  const Balances& balances = medium.balances;
  std::size_t unknown = 0;
  return residual_of_whole(loop, [&](std::int64_t i, std::int64_t j, std::int64_t k, const auto& at) {
    const double centre = at(i, j, k);
    const double across =
        balances.west(i, j, k) * (centre - at(i - 1, j, k)) + balances.west(i + 1, j, k) * (centre - at(i + 1, j, k));
    const double down =
        balances.south(i, j, k) * (centre - at(i, j - 1, k)) + balances.south(i, j + 1, k) * (centre - at(i, j + 1, k));
    const double through = balances.behind(i, j, k) * (centre - at(i, j, k - 1)) +
                           balances.behind(i, j, k + 1) * (centre - at(i, j, k + 1));
    return medium.f[unknown++] - (across + down + through + balances.sink_at(i, j, k) * centre);
  });
}

TrueResidual residual_in_space(const IterationLoop& loop) {
  const Grid& grid = loop.setup().grid;
  const Stencil stencil(grid);
  const NodeFormula source(loop.setup().the_case(), "problem.source", grid, Precision::float64);
  std::vector<double> f(static_cast<std::size_t>(grid.nx));
  return residual_of_whole(loop, [&](std::int64_t i, std::int64_t j, std::int64_t k, const auto& at) {
    if (i == 0) source.row(k * grid.ny + j, f);
    const double across = stencil.a * (at(i - 1, j, k) + at(i + 1, j, k));
    const double level = std::fma(stencil.b, at(i, j - 1, k) + at(i, j + 1, k), across);
    const double all = std::fma(stencil.c, at(i, j, k - 1) + at(i, j, k + 1), level);
    return f[static_cast<std::size_t>(i)] - std::fma(stencil.diagonal, at(i, j, k), -all);
  });
}

}  // namespace

TrueResidual true_residual(const IterationLoop& loop) {
  const JacobiSetup& setup = loop.setup();
  if (setup.beyond_poisson) return diffusion_residual(loop);
  if (setup.grid.in_space()) return residual_in_space(loop);
  const Grid& grid = setup.grid;
  const Stencil stencil(grid);
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
  const double area = grid.dx * static_cast<double>(grid.nx) * grid.dy * static_cast<double>(grid.ny) *
                      grid.along_z.spacing * static_cast<double>(grid.nz);
  // As long as the squares hold, so does the sum of them times dx dy (dz), with an area (a volume) of 1 or less.
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
