#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace quoin {

enum class JacobiSolver { jacobi, chebyshev, multigrid };
enum class JacobiVariant { classic, fused, blocked, fastest };

struct JacobiMethod {
  explicit JacobiMethod(const Case& the_case);
  /// As the functions of ProblemType.
  static std::string tuning_key(const Case& the_case);
  static std::vector<Override> limit_iterations(std::int64_t iterations);

  JacobiSolver solver;
  JacobiVariant variant;
  Precision precision;
  std::int64_t max_iterations;
  std::int64_t check_every;
  bool stops_on_tolerance;
  double tolerance;           ///< of the residual norm; 0 where the case gives none
  double relative_tolerance;  ///< as a share of the norm of a zero field; 0 where the case gives only the other
  bool seed_norm;             ///< norms are divided by the number of nodes
};

}  // namespace quoin
