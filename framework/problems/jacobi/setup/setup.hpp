#pragma once

// What a case file says about a Jacobi run: the grid, the method, and the formulas at the nodes.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problems/jacobi/setup/balances.hpp"
#include "problems/jacobi/setup/formulas.hpp"
#include "problems/jacobi/setup/grid.hpp"
#include "problems/jacobi/setup/method.hpp"
#include "problems/jacobi/setup/planes.hpp"
#include "problems/jacobi/setup/strips.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// Dirichlet values, each side at the nodes next to it, row by row: left and right a value for each row of the grid,
/// bottom and top nx for each plane, and in space back and front nx by ny. Zeros of a side without.
struct Sides {
  std::vector<double> left, right, bottom, top, back, front;
};

/// Equations whose coefficients vary, or that have more than values on the sides.
struct Medium {
  Cells cells;  ///< that they were made of
  Balances balances;
  std::vector<double> f;  ///< of each unknown, with what its sides give
  Bounds bounds;
  double corrected = 0.0;  ///< where a constant may be added to u, what the source has more of than sides let out
};

/// A checked case read as a Jacobi run. Formulas are parsed here and evaluated when they are asked for.
class JacobiSetup {
 public:
  explicit JacobiSetup(const Case& the_case);
  JacobiSetup(const JacobiSetup&) = delete;
  JacobiSetup& operator=(const JacobiSetup&) = delete;

 private:
  Case case_;  // before what points into it

 public:
  const Grid grid;
  const JacobiMethod method;
  const SourceFormula source;
  const std::optional<NodeFormula> initial;  ///< empty: 0, or the field of another run
  const std::optional<NodeFormula> exact;
  const bool beyond_poisson;  ///< medium() says what is solved
  Strip part;                 ///< the rows of the grid that this rank works on: all of them, unless told otherwise

  [[nodiscard]] const Case& the_case() const { return case_; }
  /// Of the whole grid; in the plane a rank's part has rows of its own.
  [[nodiscard]] Planes planes() const { return {grid.along_x, grid.along_y, grid.along_z}; }
  /// On the device, of this rank.
  [[nodiscard]] std::int64_t device_rows() const { return grid.in_space() ? planes().rows() : part.rows(); }
  [[nodiscard]] Sides sides() const;
  /// The same in double, whatever the run computes in.
  [[nodiscard]] Sides sides_in_double() const;
  /// Made when it is first asked for. Throws ErrorKind::case_file where what the case gives cannot be.
  [[nodiscard]] const Medium& medium() const;
  /// Throws ErrorKind::case_file where so many ranks cannot solve it.
  void require_one_rank(int ranks) const;
  /// At a corner or an edge, where several indices lie beyond the unknowns, the mean of what the formulas of those
  /// sides come to there. The scheme does not use it.
  [[nodiscard]] double edge(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// What sqrt(sum r^2 dx dy (dz)) is divided by.
  [[nodiscard]] double norm_divisor() const;

 private:
  using NodeValue = double (NodeFormula::*)(std::int64_t, std::int64_t, std::int64_t) const;
  /// What the case gives of a side.
  struct Side {
    std::string name;
    SideType type;
    std::optional<NodeFormula> value, coefficient;
  };
  [[nodiscard]] Side side_of(const std::string& name, SideType type) const;
  [[nodiscard]] Sides sides_by(NodeValue value) const;
  void refuse_blocked() const;
  [[noreturn]] void refuse_mean() const;
  void add_sides(Medium& medium) const;
  void balance_sources(Medium& medium) const;

  const Side left_, right_, bottom_, top_, back_, front_;
  mutable std::unique_ptr<const Medium> medium_;
};

}  // namespace quoin
