#include "problems/dgcvs/law.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/dialect/dgcvs.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// A number with its derivative along a direction, as arithmetic type of the kernels' fluxes.
struct Dual {
  double value = 0.0;
  double slope = 0.0;
  Dual() = default;
  Dual(double v, double s) : value(v), slope(s) {}
  explicit Dual(double v) : value(v) {}
};
Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
Dual operator/(Dual a, Dual b) {
  return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
}
Dual qn_fma(Dual a, Dual b, Dual c) { return a * b + c; }

template <template <class, class, int> class Bodies>
void flux(const Dual* u, const std::vector<double>& parameters, Dual* f, Dual* g) {
  Bodies<Dual, double, 0>::law_flux(u, parameters.data(), f, g);
}

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
  if (law_ == Law::shallow_water && state[0] <= 0.0) return "the depth h is not positive; dry beds are not supported";
  return {};
}

State HostLaw::transport(const State& u, const State& ux, const State& uy) const {
  State result{};
  for (const bool along_x : {true, false}) {
    std::array<Dual, 3> dual, f, g;
    for (std::size_t v = 0; v < size(); ++v) dual[v] = {u[v], along_x ? ux[v] : uy[v]};
    switch (law_) {
      case Law::advection:
        flux<kernels::Advection>(dual.data(), parameters_, f.data(), g.data());
        break;
      case Law::burgers:
        flux<kernels::Burgers>(dual.data(), parameters_, f.data(), g.data());
        break;
      case Law::shallow_water:
        flux<kernels::ShallowWater>(dual.data(), parameters_, f.data(), g.data());
        break;
    }
    for (std::size_t v = 0; v < size(); ++v) result[v] += along_x ? f[v].slope : g[v].slope;
  }
  return result;
}

void WaveSpeeds::see(const State& state) {
  largest_ = std::max(largest_, std::abs(state[0]));
  if (law_->law() == Law::burgers) flow_ = std::max(flow_, std::abs(state[0]));
  if (law_->law() != Law::shallow_water) return;
  flow_ = std::max(flow_, std::hypot(state[1], state[2]) / state[0]);
  wave_ = std::max(wave_, std::sqrt(law_->parameters()[0] * state[0]));
}

void WaveSpeeds::see(const WaveSpeeds& other) {
  largest_ = std::max(largest_, other.largest_);
  flow_ = std::max(flow_, other.flow_);
  wave_ = std::max(wave_, other.wave_);
}

double WaveSpeeds::across(double nx, double ny) const {
  switch (law_->law()) {
    case Law::advection:
      return std::abs(law_->parameters()[0] * nx + law_->parameters()[1] * ny);
    case Law::burgers:
      return flow_ * std::abs(nx + ny);
    case Law::shallow_water:
      return flow_ + wave_;
  }
  throw Error(ErrorKind::bug, "a law without a wave speed");
}

}  // namespace quoin
