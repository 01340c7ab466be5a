#include "problems/dgcvs/setup/law.hpp"

#include <algorithm>
#include <cmath>

#include "quoin/error.hpp"

namespace quoin {
namespace {

Law law_of(const std::string& name) {
  if (name == "advection") return Law::advection;
  return name == "burgers" ? Law::burgers : Law::shallow_water;
}

}  // namespace

HostLaw::HostLaw(const Case& the_case)
    : law_(law_of(the_case.text("problem.equation.type"))), name_(the_case.text("problem.equation.type")) {
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
  }
}

std::string HostLaw::objection(const State& state) const {
  for (std::size_t v = 0; v < size(); ++v)
    if (!std::isfinite(state[v])) return variables_[v] + " is not finite";
  return possible(state) ? "" : "the depth h is not positive; dry beds are not supported";
}

double HostLaw::unit_speed(double nx, double ny) const {
  switch (law_) {
    case Law::advection:
      return std::abs(parameters_[0] * nx + parameters_[1] * ny);
    case Law::burgers:
      return std::abs(nx + ny);
    case Law::shallow_water:
      break;
  }
  return 1.0;
}

double HostLaw::speed(const State& state) const {
  switch (law_) {
    case Law::advection:
      return 1.0;
    case Law::burgers:
      return std::abs(state[0]);
    case Law::shallow_water:
      break;
  }
  return std::sqrt(state[1] * state[1] + state[2] * state[2]) / state[0] + std::sqrt(parameters_[0] * state[0]);
}

}  // namespace quoin
