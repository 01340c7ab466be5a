#include "problems/jacobi/scheme/stencil.hpp"

#include <cmath>
#include <numbers>

#include "case/elementary.hpp"

namespace quoin {

Spectrum Stencil::spectrum(std::int64_t nx, std::int64_t ny, std::int64_t nz) const {
  constexpr double quarter_turn = std::numbers::pi / 2.0;
  const auto wave = [](double factor, double angle) {
    return 4.0 * factor * elementary("sin", angle) * elementary("sin", angle);
  };
  const double x = quarter_turn / static_cast<double>(nx + 1);
  const double y = quarter_turn / static_cast<double>(ny + 1);
  const double z = quarter_turn / static_cast<double>(nz + 1);
  return {wave(a, x) + wave(b, y) + wave(c, z),
          wave(a, quarter_turn - x) + wave(b, quarter_turn - y) + wave(c, quarter_turn - z)};
}

double chebyshev_reduction(const Spectrum& spectrum, std::int64_t sweeps) {
  const double least = std::sqrt(spectrum.least);
  const double most = std::sqrt(spectrum.most);
  // 1 / T((most + least) / (most - least)) with T(x) = cosh(sweeps acosh(x)); the logarithm loses no digits near 1.
  const double rate = std::log1p(-2.0 * least / (most + least));
  return 1.0 / std::cosh(static_cast<double>(sweeps) * rate);
}

std::int64_t chebyshev_cycle(const Spectrum& spectrum) {
  constexpr double left = 0.01;
  constexpr std::int64_t most = 65536;
  std::int64_t sweeps = 1;
  while (sweeps < most && chebyshev_reduction(spectrum, sweeps) > left) sweeps *= 2;
  return sweeps;
}

std::vector<double> chebyshev_weights(const Spectrum& spectrum, std::int64_t sweeps) {
  std::vector<std::int64_t> order{1};
  while (static_cast<std::int64_t>(order.size()) < sweeps) {
    const auto mirror = 2 * static_cast<std::int64_t>(order.size()) + 1;
    std::vector<std::int64_t> longer;
    for (const std::int64_t k : order) longer.insert(longer.end(), {k, mirror - k});
    order = std::move(longer);
  }
  const double middle = (spectrum.most + spectrum.least) / 2.0;
  const double radius = (spectrum.most - spectrum.least) / 2.0;
  const double step = std::numbers::pi / (2.0 * static_cast<double>(sweeps));
  std::vector<double> weights;
  weights.reserve(order.size());
  for (const std::int64_t k : order)
    weights.push_back(1.0 / (middle + radius * elementary("cos", step * static_cast<double>(2 * k - 1))));
  return weights;
}

}  // namespace quoin
