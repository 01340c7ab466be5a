#pragma once

// What a case file says about a Jacobi run: the grid, the method, and the formulas at the nodes.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// nx by ny interior nodes of a rectangle. Index -1 and nx (ny) are the sides.
struct Grid {
  explicit Grid(const Case& the_case);

  std::int64_t nx;
  std::int64_t ny;
  double xmin, xmax, ymin, ymax;
  double dx, dy;

  [[nodiscard]] double x(std::int64_t i) const { return i == nx ? xmax : xmin + static_cast<double>(i + 1) * dx; }
  [[nodiscard]] double y(std::int64_t j) const { return j == ny ? ymax : ymin + static_cast<double>(j + 1) * dy; }
  /// What formulas may name.
  [[nodiscard]] Expression::Constants constants() const;
};

enum class JacobiSolver { jacobi, chebyshev, multigrid };
enum class JacobiVariant { classic, fused, blocked, fastest };

struct JacobiMethod {
  explicit JacobiMethod(const Case& the_case);
  static std::vector<Override> scale_tolerances(const Case& the_case, double factor);

  JacobiSolver solver;
  JacobiVariant variant;
  Precision precision;
  std::int64_t max_iterations;
  std::int64_t check_every;
  bool stops_on_tolerance;
  double tolerance;           ///< of the residual norm; 0 where the case gives none
  double relative_tolerance;  ///< as a share of the norm of a zero field; 0 where the case gives only the other
  bool seed_norm;             ///< norms are divided by the number of nodes
};

/// A formula of the case at the nodes of a grid, rounded to the precision of the run.
class NodeFormula {
 public:
  NodeFormula(const Case& the_case, std::string path, const Grid& grid, Precision precision);

  [[nodiscard]] bool constant() const { return expression_.constant(); }
  /// Throws ErrorKind::case_file naming the node where the value is not finite.
  [[nodiscard]] double at(std::int64_t i, std::int64_t j) const;
  /// The same in double, whatever the run computes in.
  [[nodiscard]] double in_double(std::int64_t i, std::int64_t j) const;
  /// The values at nodes (0, j) to (nx - 1, j).
  void row(std::int64_t j, std::span<double> values) const;

 protected:
  [[nodiscard]] const Grid& grid() const { return *grid_; }

 private:
  const Case* case_;
  std::string path_;
  const Grid* grid_;
  Precision precision_;
  Expression expression_;
};

/// The source. Checkpoints keep a hash of its values, which is made as they pass on their way to the device: to
/// evaluate them once more takes longer than to write a checkpoint.
class SourceFormula : public NodeFormula {
 public:
  using NodeFormula::NodeFormula;

  void row(std::int64_t j, std::span<double> values) const;
  /// Of all rows in order, or of one where the source is constant; those that have not passed are evaluated.
  [[nodiscard]] Sha256 hash() const;

 private:
  mutable Sha256 hash_;
  mutable std::int64_t hashed_ = 0;  // rows
};

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

  [[nodiscard]] const Case& the_case() const { return case_; }
  [[nodiscard]] Sides sides() const;
  /// The same in double, whatever the run computes in.
  [[nodiscard]] Sides sides_in_double() const;
  /// At the corner with i = -1 or nx, j = -1 or ny the mean of what the formulas of its two sides come to there. The
  /// scheme does not use it.
  [[nodiscard]] double corner(std::int64_t i, std::int64_t j) const;
  /// What sqrt(sum r^2 dx dy) is divided by.
  [[nodiscard]] double norm_divisor() const;
  /// Evaluates `formula` at every node and forgets the values: throws where one is not finite.
  void check(const NodeFormula& formula) const;

 private:
  using NodeValue = double (NodeFormula::*)(std::int64_t, std::int64_t) const;
  [[nodiscard]] Sides sides_by(NodeValue value) const;

  const NodeFormula left_, right_, bottom_, top_;
};

}  // namespace quoin
