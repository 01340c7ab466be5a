#pragma once

#include <functional>
#include <vector>

#include "problems/dgcvs/scheme/level.hpp"
#include "problems/dgcvs/setup/pace.hpp"

namespace quoin {

/// The states outside dirichlet sides, at the Gauss points of each half face and of each half step.
class OutsideStates {
 public:
  OutsideStates(const DgSetup& setup, const LevelArrays& arrays, EntityKind kind);

  /// Values of one half step: rows of face_stride lanes.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool uses_time() const { return uses_time_; }
  /// The half steps of steps first to first + steps - 1, one after another: [size()] each.
  [[nodiscard]] std::vector<double> table(std::int64_t first, std::int64_t steps, const Pace& pace);

 private:
  using Formula = std::function<State(Point, double)>;

  /// Formulas by side, none where a side needs none.
  [[nodiscard]] std::vector<Formula> formulas() const;

  const DgSetup& setup_;
  const LevelArrays& arrays_;
  EntityKind kind_;
  bool uses_time_ = false;
  std::vector<std::vector<Formula>> formulas_;  // by part: a parser serves one thread, and is dear to make
};

}  // namespace quoin
