#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "quoin/fields.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// The rows of the closed rectangle that the piece of a rank has: its own, those of the sides next to them, and the
/// first one above.
GridRows piece_rows(const Strip& part);

/// An iterate together with the values on the sides: all nodes of the closed rectangle, or of the closed box.
class ClosedField {
 public:
  explicit ClosedField(const IterationLoop& loop)
      : loop_(loop), setup_(loop.setup()), sides_(loop.sides()), shift_(loop.shift()) {}

  /// All but its values.
  [[nodiscard]] GridField head() const;
  /// Gives rows of the grid in order, as IterationLoop::read().
  using Inside = std::function<void(const Field::Read& read)>;
  /// Takes the raw values of each row from the bottom on: of all, and of a piece whose rows of the grid are `inside`.
  void each_row(const GridField::Take& take) const;
  void each_row(const Strip& part, const Inside& inside, const GridField::Take& take) const;
  /// The values at points of the closed rectangle, bilinear between the nodes; in space, with a z for each, trilinear.
  [[nodiscard]] std::vector<double> at(std::span<const Point> points, std::span<const double> z) const;

 private:
  void fill_sides(std::int64_t j, std::int64_t k, std::span<double> row) const;
  void put_inside(std::span<const std::byte> values, std::span<double> row) const;

  const IterationLoop& loop_;
  const JacobiSetup& setup_;
  const Sides& sides_;
  double shift_;
};

}  // namespace quoin
