#pragma once

#include <string>

#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// Whether what other ranks need travels beside kernels that do not need it (run.overlap).
inline bool overlaps(const Case& the_case, const Executor& executor) {
  const std::string& overlap = the_case.text("run.overlap");
  return overlap == "on" || (overlap == "auto" && executor.device().kind != DeviceKind::cpu);
}

}  // namespace quoin
