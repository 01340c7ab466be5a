#include "problems/dgcvs/setup/law.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "problems/beside.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

Law law_of(const Case& the_case) {
  const std::string& name = the_case.text("problem.equation.type");
  if (name == "advection") return Law::advection;
  if (name == "burgers") return Law::burgers;
  const auto has_series = [&](const std::string& side) {
    const std::string key = "problem.boundary." + path_part(side) + ".type";
    return the_case.has(key) && (the_case.text(key) == "stage" || the_case.text(key) == "discharge");
  };
  const bool ground = std::ranges::any_of(the_case.names("problem.boundary"), has_series) ||
                      the_case.has("problem.bed.formula") || the_case.has("problem.bed.file") ||
                      the_case.real("problem.equation.manning") > 0.0 || the_case.has("problem.equation.chezy") ||
                      the_case.real("problem.equation.rain") > 0.0;
  return ground ? Law::shallow_water_bed : Law::shallow_water;
}

/// As the kernels take it: Manning's coefficient squared, or minus one over Chezy's squared.
double friction_of(const Case& the_case) {
  const double manning = the_case.real("problem.equation.manning");
  if (!the_case.has("problem.equation.chezy")) return manning * manning;
  if (manning > 0.0)
    throw the_case.error_at("problem.equation.chezy", "problem.equation.manning is given as well; give one of them");
  const double chezy = the_case.real("problem.equation.chezy");
  return -1.0 / (chezy * chezy);
}

}  // namespace

HostLaw::HostLaw(const Case& the_case) : law_(law_of(the_case)), name_(the_case.text("problem.equation.type")) {
  switch (law_) {
    case Law::advection:
      parameters_ = the_case.reals("problem.equation.velocity");
      variables_ = {"u"};
      break;
    case Law::burgers:
      variables_ = {"u"};
      break;
    case Law::shallow_water:
      parameters_ = {the_case.real("problem.equation.gravity")};
      variables_ = {"h", "hu", "hv"};
      break;
    case Law::shallow_water_bed: {
      constexpr double thin = 1e-6;  // of depths
      parameters_ = {the_case.real("problem.equation.gravity"), thin, friction_of(the_case),
                     the_case.real("problem.equation.rain")};
      variables_ = {"eta", "hu", "hv"};
      break;
    }
  }
  if (the_case.has("problem.bed.file")) {
    if (the_case.has("problem.bed.formula"))
      throw the_case.error_at("problem.bed.formula", "problem.bed.file is given as well; give one of them");
    raster_ = std::make_shared<const BedRaster>(beside_case(the_case, "problem.bed.file"));
  }
  outputs_ = variables_;
  if (has_bed()) outputs_.insert(outputs_.end(), {"h", "u", "v", "b"});
}

Outputs HostLaw::output(const State& state) const {
  if (!has_bed()) return {state[0], state[1], state[2]};
  const auto [u, v] = velocity(state);
  return {std::max(state[0], state[bed_place]), state[1], state[2], depth(state), u, v, state[bed_place]};
}

std::string HostLaw::objection(const State& state) const {
  for (std::size_t v = 0; v < size(); ++v)
    if (!std::isfinite(state[v])) return variables_[v] + " is not finite";
  return possible(state) ? "" : "the depth h is not positive; over a bed, as problem.bed: 0, ground may be dry";
}

double HostLaw::unit_speed(double nx, double ny) const {
  switch (law_) {
    case Law::advection:
      return std::abs(parameters_[0] * nx + parameters_[1] * ny);
    case Law::burgers:
      return std::abs(nx + ny);
    case Law::shallow_water:
    case Law::shallow_water_bed:
      break;
  }
  return 1.0;
}

State HostLaw::over(State state, double height) const {
  if (!has_bed()) return state;
  state[bed_place] = height;
  if (state[shore_place] > 0.0)
    for (const std::size_t v : {1, 2}) state[v] *= depth(state);
  state[shore_place] = 0.0;
  return state;
}

std::array<double, 2> HostLaw::velocity(const State& state) const {
  const double h = depth(state);
  if (!has_bed()) return {state[1] / h, state[2] / h};
  const double thin = std::max(h, parameters_[1]);
  const double inverse = 2 * h / (h * h + thin * thin);
  return {state[1] * inverse, state[2] * inverse};
}

double HostLaw::speed(const State& state) const {
  switch (law_) {
    case Law::advection:
      return 1.0;
    case Law::burgers:
      return std::abs(state[0]);
    case Law::shallow_water:
    case Law::shallow_water_bed:
      break;
  }
  const auto [u, v] = velocity(state);
  return std::sqrt(u * u + v * v) + std::sqrt(parameters_[0] * depth(state));
}

}  // namespace quoin
