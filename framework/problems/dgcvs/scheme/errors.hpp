#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Of a cell at its time, by order + 3 Gauss points a direction on each sub-quad: integrals of the error and of its
/// square, and the largest one; of several variables the lengths of the vectors of differences.
struct CellErrors {
  double l1, l2, linf, area;
};
/// Of those cells, which the solution has. The case must give an exact solution.
[[nodiscard]] std::vector<CellErrors> cell_errors(const Solution& cells, const EntityPart& part);

/// The errors over all cells, which are added as they are numbered.
class ErrorSums {
 public:
  void add(std::span<const std::byte> some);
  [[nodiscard]] Errors errors() const;

 private:
  CellErrors sums_{};
};

}  // namespace quoin
