#include "problems/linear_system/setup/generators.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

void add(SparseMatrix& matrix, std::int64_t column, double value) {
  matrix.column.push_back(column);
  matrix.value.push_back(value);
}

void end_row(SparseMatrix& matrix) { matrix.at.push_back(static_cast<std::int64_t>(matrix.column.size())); }

}  // namespace

SparseMatrix poisson_matrix(const std::array<std::int64_t, 3>& nodes, int points) {
  const auto [nx, ny, nz] = nodes;
  const bool corners = points == 9 || points == 27;
  const bool space = points == 7 || points == 27;
  std::vector<std::array<std::int64_t, 3>> offsets;  // by ascending column
  for (std::int64_t z = space ? -1 : 0; z <= (space ? 1 : 0); ++z)
    for (std::int64_t y = -1; y <= 1; ++y)
      for (std::int64_t x = -1; x <= 1; ++x)
        if (corners || std::abs(x) + std::abs(y) + std::abs(z) <= 1) offsets.push_back({x, y, z});
  SparseMatrix matrix = matrix_with_room(nx * ny * nz, nx * ny * nz, points * nx * ny * nz);
  for (std::int64_t k = 0; k < nz; ++k) {
    for (std::int64_t j = 0; j < ny; ++j) {
      for (std::int64_t i = 0; i < nx; ++i) {
        for (const auto& [x, y, z] : offsets) {
          if (i + x < 0 || i + x >= nx || j + y < 0 || j + y >= ny || k + z < 0 || k + z >= nz) continue;
          const bool centre = x == 0 && y == 0 && z == 0;
          add(matrix, ((k + z) * ny + j + y) * nx + i + x, centre ? points - 1 : -1);
        }
        end_row(matrix);
      }
    }
  }
  return matrix;
}

SparseMatrix diffusion_matrix(const std::array<std::int64_t, 3>& nodes, const std::vector<double>& factors,
                              const std::function<double(const std::array<std::int64_t, 3>&)>& coefficient) {
  const auto [nx, ny, nz] = nodes;
  const std::array<std::int64_t, 3> strides{1, nx, nx * ny};
  const std::size_t axes = factors.size();
  SparseMatrix matrix =
      matrix_with_room(nx * ny * nz, nx * ny * nz, (2 * static_cast<std::int64_t>(axes) + 1) * nx * ny * nz);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::array<std::int64_t, 3> node{row % nx, row / nx % ny, row / (nx * ny)};
    std::array<double, 3> before{}, behind{};
    double centre = 0.0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      std::array<std::int64_t, 3> place{2 * node[0] + 2, 2 * node[1] + 2, 2 * node[2] + 2};
      --place[axis];
      before[axis] = factors[axis] * coefficient(place);
      place[axis] += 2;
      behind[axis] = factors[axis] * coefficient(place);
      centre = centre + before[axis] + behind[axis];
    }
    for (std::size_t axis = axes; axis-- > 0;)
      if (node[axis] > 0) add(matrix, row - strides[axis], -before[axis]);
    add(matrix, row, centre);
    for (std::size_t axis = 0; axis < axes; ++axis)
      if (node[axis] + 1 < nodes[axis]) add(matrix, row + strides[axis], -behind[axis]);
    end_row(matrix);
  }
  return matrix;
}

SparseMatrix convection_diffusion_matrix(const std::array<std::int64_t, 2>& nodes,
                                         const std::array<double, 2>& velocity) {
  const auto [nx, ny] = nodes;
  const auto [u, v] = velocity;
  SparseMatrix matrix = matrix_with_room(nx * ny, nx * ny, 5 * nx * ny);
  for (std::int64_t j = 0; j < ny; ++j) {
    for (std::int64_t i = 0; i < nx; ++i) {
      const std::int64_t row = j * nx + i;
      if (j > 0) add(matrix, row - nx, -1.0 - std::max(v, 0.0));
      if (i > 0) add(matrix, row - 1, -1.0 - std::max(u, 0.0));
      add(matrix, row, 4.0 + std::abs(u) + std::abs(v));
      if (i + 1 < nx) add(matrix, row + 1, -1.0 + std::min(u, 0.0));
      if (j + 1 < ny) add(matrix, row + nx, -1.0 + std::min(v, 0.0));
      end_row(matrix);
    }
  }
  return matrix;
}

SparseMatrix tridiagonal_matrix(std::int64_t rows) {
  SparseMatrix matrix = matrix_with_room(rows, rows, 3 * rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row > 0) add(matrix, row - 1, -1.0);
    add(matrix, row, 2.0);
    if (row + 1 < rows) add(matrix, row + 1, -1.0);
    end_row(matrix);
  }
  return matrix;
}

SparseMatrix arrow_matrix(std::int64_t rows) {
  SparseMatrix matrix = matrix_with_room(rows, rows, 3 * rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row > 0) add(matrix, 0, 1.0);
    add(matrix, row, static_cast<double>(rows));
    for (std::int64_t column = 1; row == 0 && column < rows; ++column) add(matrix, column, 1.0);
    end_row(matrix);
  }
  return matrix;
}

}  // namespace quoin
