#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problems/dgcvs/setup/raster.hpp"
#include "quoin/case.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {

/// Values of all variables at a point, at most three; behind them the height of the bed, 0 where the law has none, and
/// whether (> 0) it is of an entity at a shore, which has velocity in place of momentum: kernels/dgcvs/shore.h.
using State = std::array<double, 5>;
constexpr std::size_t bed_place = 3;
constexpr std::size_t shore_place = 4;
/// That at point k of `count`, of rows with one number of all points each.
inline State state_of(std::span<const double> rows, std::size_t count, std::size_t k) {
  State state{};
  for (std::size_t n = 0; n * count < rows.size(); ++n) state.at(n) = rows[n * count + k];
  return state;
}
/// What files of results have of a state, at most: HostLaw::outputs() says how many of these.
using Outputs = std::array<double, 7>;

/// A conservation law on the host, by the kernels' own text.
class HostLaw {
 public:
  explicit HostLaw(const Case& the_case);

  [[nodiscard]] Law law() const { return law_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
  [[nodiscard]] std::size_t size() const { return variables_.size(); }
  /// Numbers of a state that a formula gives: the variables, and behind them the height of the bed, where there is one.
  [[nodiscard]] std::size_t rows() const { return size() + (has_bed() ? 1 : 0); }

  /// The heights of the bed, where a file has them, else null.
  [[nodiscard]] const std::shared_ptr<const BedRaster>& raster() const { return raster_; }
  [[nodiscard]] bool has_bed() const { return law_has_bed(law_); }
  [[nodiscard]] bool is_water() const { return law_is_water(law_); }
  /// Of water.
  [[nodiscard]] static double depth(const State& state) { return std::max(0.0, state[0] - state[bed_place]); }
  [[nodiscard]] double rain() const { return has_bed() ? parameters_[3] : 0.0; }
  /// Of waves on the rain that falls on dry ground in a step which they then make a cell's width, `width`, long.
  [[nodiscard]] double speed_of_rain(double width) const {
    return has_bed() ? std::cbrt(parameters_[0] * rain() * width) : 0.0;
  }
  /// Of water with so much discharge across a unit of width in which waves are slowest.
  [[nodiscard]] double slowest_depth(double discharge) const {
    return std::cbrt(4 * discharge * discharge / parameters_[0]);
  }
  /// The state over a bed of that height, where the law has one: no momentum where there is no water.
  [[nodiscard]] State over(State state, double height) const;
  /// Depth times this is momentum; it fades in thin water.
  [[nodiscard]] std::array<double, 2> velocity(const State& state) const;
  /// Whether the state can be: finite, with a positive depth; over a bed there may be no water.
  [[nodiscard]] bool possible(const State& state) const {
    for (std::size_t v = 0; v < variables_.size(); ++v)
      if (!std::isfinite(state[v])) return false;
    return !is_water() || has_bed() || depth(state) > 0.0;
  }
  /// How large the first variable is; of water over a bed, whose surface may be anywhere, its depth.
  [[nodiscard]] double size_of(const State& state) const { return has_bed() ? depth(state) : std::abs(state[0]); }
  /// What files of results have of a state: the variables, and of water over a bed depth, velocity and bed.
  [[nodiscard]] const std::vector<std::string>& outputs() const { return outputs_; }
  [[nodiscard]] Outputs output(const State& state) const;
  /// Why it cannot; empty where it can.
  [[nodiscard]] std::string objection(const State& state) const;
  /// The speed of waves across a line with this unit normal where the state's own, speed(), is 1.
  [[nodiscard]] double unit_speed(double nx, double ny) const;
  /// The largest wave speed in any direction: |u| for Burgers, |velocity| + sqrt(g h) for shallow water; 1 where it
  /// does not depend on the state.
  [[nodiscard]] double speed(const State& state) const;

 private:
  Law law_;
  std::string name_;
  std::vector<double> parameters_;
  std::vector<std::string> variables_, outputs_;
  std::shared_ptr<const BedRaster> raster_;
};

}  // namespace quoin
