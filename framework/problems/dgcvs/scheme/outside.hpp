#pragma once

#include <future>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "problems/dgcvs/scheme/level.hpp"
#include "problems/dgcvs/setup/pace.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"

namespace quoin {

/// The states outside the sides that have them, at the Gauss points of each half face and of each half step.
class OutsideStates {
 public:
  OutsideStates(const DgSetup& setup, const LevelArrays& arrays, EntityKind kind);

  /// Values of one half step: rows of face_stride lanes.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool uses_time() const { return uses_time_; }
  /// The half steps of steps first to first + steps - 1, one after another: [size()] each.
  [[nodiscard]] std::vector<double> table(std::int64_t first, std::int64_t steps, const Pace& pace);
  /// Starts to make the table that is asked for next, beside what the caller does.
  void look_ahead(std::int64_t first, std::int64_t steps, const Pace& pace);

 private:
  struct Span {
    std::int64_t first, steps;
    Pace pace;
    bool operator==(const Span&) const = default;
  };
  /// The points of some half faces beyond one side, with its formula.
  struct Points {
    DgSetup::Outside formula;
    std::vector<Point> points;
    std::vector<std::size_t> rows;  ///< of each point: where the first value of a half step goes
    std::vector<State> states;
    std::vector<Point> inward{};  // the unit normal, of a side with a discharge
  };
  /// Of the half faces [first, last), by side.
  [[nodiscard]] std::vector<Points> points_of(const Part& part, const GaussRule& rule) const;

  [[nodiscard]] std::vector<double> made(const Span& span);

  const DgSetup& setup_;
  const LevelArrays& arrays_;
  EntityKind kind_;
  bool uses_time_ = false;
  std::vector<std::vector<Points>> parts_;  // a formula serves one thread, and is dear to make
  Span ahead_{};                            // what the thread makes
  std::future<std::vector<double>> made_ahead_;
  std::jthread thread_;
};

}  // namespace quoin
