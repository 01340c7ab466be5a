#include "problems/jacobi/output/message.hpp"

#include <fmt/format.h>

#include <cmath>

#include "quoin/precision.hpp"

namespace quoin {

std::string where_not_finite(const IterationLoop& loop) {
  const Grid& grid = loop.setup().grid;
  const Precision precision = loop.setup().method.precision;
  double count = 0.0;
  double i_sum = 0.0;
  double j_sum = 0.0;
  double k_sum = 0.0;
  loop.read([&](std::int64_t number, std::span<const std::byte> row) {
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      if (std::isfinite(value_at(row, static_cast<std::size_t>(i), precision))) continue;
      count += 1.0;
      i_sum += static_cast<double>(i);
      j_sum += static_cast<double>(number % grid.ny);
      k_sum += static_cast<double>(number / grid.ny);
    }
  });
  if (count == 0.0) return {};
  const std::int64_t i = std::llround(i_sum / count);
  const std::int64_t j = std::llround(j_sum / count);
  const std::int64_t k = std::llround(k_sum / count);
  return fmt::format(", around node {} at {}", grid.node(i, j, k), grid.where(i, j, k));
}

std::string message_of(const IterationLoop& loop) {
  const JacobiMethod& method = loop.setup().method;
  const Convergence& convergence = loop.convergence();
  const bool narrow = method.precision == Precision::float32;
  const char* slow = method.solver == JacobiSolver::multigrid ? "" : ", or use solver: multigrid";
  switch (loop.status()) {
    case Status::diverged:
      return fmt::format(
          "the residual of iteration {} is not finite{}; check the size of source, boundary and initial values{}",
          loop.iterations(), where_not_finite(loop), narrow ? ", or use precision: double" : "");
    case Status::not_converged:
      return fmt::format(
          "the residual is {:.3e} after {} iterations, more than the tolerance of {:.3e}; raise "
          "method.max_iterations{}",
          convergence.residual(), loop.iterations(), convergence.tolerance(), slow);
    case Status::stagnated: {
      const bool jumps = loop.setup().beyond_poisson && method.solver == JacobiSolver::multigrid;
      return fmt::format(
          "the residual stays at {:.3e}, above the tolerance of {:.3e}: rounding in {} allows no less{}; use a larger "
          "tolerance{}{}",
          convergence.residual(), convergence.tolerance(), narrow ? "float" : "double",
          jumps ? ", or coefficients jump too much for multigrid" : " here",
          !narrow ? ""
          : jumps ? ", precision: double"
                  : ", or precision: double",
          jumps ? ", or solver: chebyshev" : "");
    }
    default:
      return {};
  }
}

}  // namespace quoin
