#pragma once

// What a case file says about a Jacobi run: the grid, the method, and the formulas at the nodes.

#include <cstdint>
#include <optional>
#include <vector>

#include "problems/jacobi/setup/formulas.hpp"
#include "problems/jacobi/setup/grid.hpp"
#include "problems/jacobi/setup/method.hpp"
#include "problems/jacobi/setup/strips.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// Dirichlet values, each side at the nodes next to it: left and right ny values, bottom and top nx.
struct Sides {
  std::vector<double> left, right, bottom, top;
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
  Strip part;  ///< the rows that this rank works on: all of them, unless told otherwise

  [[nodiscard]] const Case& the_case() const { return case_; }
  [[nodiscard]] Sides sides() const;
  /// The same in double, whatever the run computes in.
  [[nodiscard]] Sides sides_in_double() const;
  /// At the corner with i = -1 or nx, j = -1 or ny the mean of what the formulas of its two sides come to there. The
  /// scheme does not use it.
  [[nodiscard]] double corner(std::int64_t i, std::int64_t j) const;
  /// What sqrt(sum r^2 dx dy) is divided by.
  [[nodiscard]] double norm_divisor() const;

 private:
  using NodeValue = double (NodeFormula::*)(std::int64_t, std::int64_t) const;
  [[nodiscard]] Sides sides_by(NodeValue value) const;

  const NodeFormula left_, right_, bottom_, top_;
};

}  // namespace quoin
