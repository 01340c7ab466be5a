#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "quoin/fields.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// An iterate together with the values on the sides: (nx + 2) by (ny + 2) nodes over the closed rectangle.
class ClosedField {
 public:
  explicit ClosedField(const IterationLoop& loop) : loop_(loop), setup_(loop.setup()), sides_(loop.sides()) {}

  /// Takes the raw values of each row from the bottom on.
  void each_row(const GridField::Take& take) const;
  /// The values at points of the closed rectangle, bilinear between the nodes.
  [[nodiscard]] std::vector<double> at(std::span<const Point> points) const;

 private:
  void fill_sides(std::int64_t j, std::span<double> row) const;

  const IterationLoop& loop_;
  const JacobiSetup& setup_;
  const Sides& sides_;
};

}  // namespace quoin
