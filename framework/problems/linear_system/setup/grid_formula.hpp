#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// A formula of the case on the grid of a generator: nodes at the same distance along all axes, the first of them that
/// far from the sides, and sides at x = 0 and x = 1, y = 0 and z = 0.
class GridFormula {
 public:
  /// In the plane (`axes` is 2) a formula of z is refused. Throws ErrorKind::case_file.
  GridFormula(const Case& the_case, const std::string& path, const std::array<std::int64_t, 3>& nodes, int axes,
              Precision precision);

  /// A place in halves of the distance of nodes: node i lies at 2 i + 2.
  using Place = std::array<std::int64_t, 3>;

  // Both throw ErrorKind::case_file, with the place, for a value that is not finite in the precision of the run.
  [[nodiscard]] double at_node(const std::array<std::int64_t, 3>& node) const;
  /// Half way between two nodes, or a node and a side. A value that is not positive there is refused as well.
  [[nodiscard]] double positive_at(const Place& place) const;

 private:
  [[nodiscard]] double coordinate(std::int64_t halves) const {
    return static_cast<double>(halves) / static_cast<double>(2 * (nodes_[0] + 1));
  }
  [[nodiscard]] double value(const Place& place) const;
  [[noreturn]] void refuse(const Place& place, const std::string& node, const std::string& must) const;

  const Case& case_;
  std::string path_;
  std::array<std::int64_t, 3> nodes_;
  int axes_;
  Precision precision_;
  Expression expression_;
};

}  // namespace quoin
