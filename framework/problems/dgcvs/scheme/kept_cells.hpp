#pragma once

#include <cstdint>
#include <vector>

#include "problems/dgcvs/scheme/level.hpp"

namespace quoin {

/// Coefficients that another run has left of all cells; none where a formula is the start.
class KeptCells {
 public:
  KeptCells(const DgSetup& setup, const LevelArrays& cells, const std::vector<double>& values)
      : setup_(setup), cells_(cells), all_(all_of(setup.staggered.cells, setup.method.entities)), values_(values) {}

  [[nodiscard]] bool none() const { return values_.empty(); }
  [[nodiscard]] double operator()(std::size_t n, std::int64_t lane) const {
    return values_[n * static_cast<std::size_t>(all_.stride) +
                   static_cast<std::size_t>(all_.of(cells_.lanes.entity(lane)))];
  }
  /// Whether the cell is at a shore, where it has velocity in place of momentum, and its mean depth behind that.
  [[nodiscard]] bool level(std::int64_t lane) const { return setup_.law.has_bed() && shore(lane) > 0.0; }
  [[nodiscard]] double shore(std::int64_t lane) const {
    return (*this)(static_cast<std::size_t>(setup_.unknowns()), lane);
  }

 private:
  const DgSetup& setup_;
  const LevelArrays& cells_;
  EntityLanes all_;
  const std::vector<double>& values_;
};

}  // namespace quoin
