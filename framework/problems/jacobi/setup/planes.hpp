#pragma once

// How a grid lies on a device, where kernels know of rows alone.

#include <cstdint>
#include <memory>

#include "problems/jacobi/setup/axis.hpp"
#include "quoin/field.hpp"

namespace quoin {

/// The rows of all planes, one plane after the other. Each plane has the rows of its lower and its upper side with it,
/// of which those below the first and above the last are ghosts, as are the planes behind and before all. In the plane
/// there is just one, and nothing behind it.
struct Planes {
  Planes(const Axis& x, const Axis& y, const Axis& z)
      : nx(x.count), ny(y.count), nz(z.count), apart(ny + 2), ghosts(z.is_flat() ? 1 : apart + 1) {}

  std::int64_t nx, ny, nz;
  std::int64_t apart;   ///< rows from a plane to the next
  std::int64_t ghosts;  ///< rows below and above those that kernels work on

  [[nodiscard]] std::int64_t rows() const { return nz * apart - 2; }
  [[nodiscard]] Box box() const { return Box::plane(nx, rows()); }
  [[nodiscard]] Field field(const std::shared_ptr<Executor>& executor, std::int64_t ring, Precision precision) const {
    return {executor, nx, rows(), ring, precision, ghosts + ring - 1};
  }

  /// A row of a plane, each of which may be a side: -1 and ny, -1 and nz.
  struct Place {
    std::int64_t j, k;
  };
  [[nodiscard]] Place place(std::int64_t row) const {
    const std::int64_t plane = (row + 1 + apart) / apart - 1;
    return {row - plane * apart, plane};
  }
  [[nodiscard]] std::int64_t row(std::int64_t j, std::int64_t k) const { return k * apart + j; }
  [[nodiscard]] bool inside(const Place& at) const { return at.j >= 0 && at.j < ny && at.k >= 0 && at.k < nz; }
  /// As the grid counts it.
  [[nodiscard]] std::int64_t number(const Place& at) const { return at.k * ny + at.j; }
};

}  // namespace quoin
