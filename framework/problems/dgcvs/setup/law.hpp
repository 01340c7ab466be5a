#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "quoin/case.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {

/// Values of all variables at a point: at most three.
using State = std::array<double, 3>;

/// A conservation law on the host, by the kernels' own text.
class HostLaw {
 public:
  explicit HostLaw(const Case& the_case);

  [[nodiscard]] Law law() const { return law_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
  [[nodiscard]] std::size_t size() const { return variables_.size(); }

  /// Whether the state can be: finite, with a positive depth.
  [[nodiscard]] bool possible(const State& state) const {
    for (std::size_t v = 0; v < variables_.size(); ++v)
      if (!std::isfinite(state[v])) return false;
    return law_ != Law::shallow_water || state[0] > 0.0;
  }
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
  std::vector<std::string> variables_;
};

}  // namespace quoin
