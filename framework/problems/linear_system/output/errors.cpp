#include "problems/linear_system/output/errors.hpp"

#include <cmath>

#include "quoin/precision.hpp"

namespace quoin {

Errors errors_of(SolveLoop& loop, const LinearSystemSetup& setup, const std::vector<double>& exact) {
  const std::vector<double> values = from_precision(loop.solution(), setup.precision);
  const auto rows = static_cast<double>(values.size());
  Errors errors;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double error = std::fabs(values[k] - exact[k]);
    errors.l1 += error / rows;
    errors.l2 += error * error / rows;
    if (error > errors.linf || std::isnan(error)) errors.linf = error;
  }
  errors.l2 = std::sqrt(errors.l2);
  return errors;
}

}  // namespace quoin
