#pragma once

// The formulas of a case at the nodes of its grid.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/checksum.hpp"
#include "problems/jacobi/setup/grid.hpp"
#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// A formula of the case at the nodes of a grid, rounded to the precision of the run.
class NodeFormula {
 public:
  NodeFormula(const Case& the_case, std::string path, const Grid& grid, Precision precision);

  [[nodiscard]] bool constant() const { return formula_.constant(); }
  /// Whether it is +0 at every node for certain.
  [[nodiscard]] bool zero() const;
  /// Throws ErrorKind::case_file naming the node where the value is not finite.
  [[nodiscard]] double at(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// The same in double, whatever the run computes in.
  [[nodiscard]] double in_double(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// The values at the nodes of a row of the grid, as Grid counts them. Where rows are asked for one after the other,
  /// those to come are evaluated ahead, on all cores.
  void row(std::int64_t row, std::span<double> values) const;
  /// Throws as at() does for the first of all nodes, row by row, that has no finite value.
  void check() const;

 protected:
  [[nodiscard]] const Grid& grid() const { return *grid_; }

 private:
  /// Rows [first, last) that were evaluated last.
  struct Ahead {
    std::int64_t first = 0, last = 0;
    std::vector<double> values{};
  };
  [[noreturn]] void refuse(const Expression& formula, std::int64_t i, std::int64_t j, std::int64_t k) const;
  void compute(const Expression& formula, std::int64_t row, std::span<double> values) const;
  template <class Use>
  void by_rows(std::int64_t first, std::int64_t last, const Use& use) const;
  void evaluate(std::int64_t first, std::int64_t last) const;
  void look_ahead(std::int64_t row) const;

  const Case* case_;
  std::string path_;
  const Grid* grid_;
  Precision precision_;
  Expression formula_;
  mutable std::vector<Expression> by_rows_;  // the same, one for each thread that was needed
  mutable Ahead ahead_;
};

/// The source. Checkpoints keep a checksum of its values, which is made as they pass on their way to the device: to
/// evaluate them once more takes longer than to write a checkpoint.
class SourceFormula : public NodeFormula {
 public:
  using NodeFormula::NodeFormula;

  void row(std::int64_t j, std::span<double> values) const;
  /// Of all rows in order, or of one where the source is constant; those that have not passed are evaluated.
  [[nodiscard]] std::string checksum() const;

 private:
  mutable Checksum sum_;
  mutable std::int64_t summed_ = 0;  // rows
};

}  // namespace quoin
