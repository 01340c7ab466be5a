#include "problems/linear_system/output/message.hpp"

#include <fmt/format.h>

namespace quoin {

std::string message_of(const SolveLoop& loop) {
  if (loop.status() == Status::diverged) return loop.breakdown();
  if (loop.status() != Status::not_converged && loop.status() != Status::stagnated) return {};
  return fmt::format("the norm of b - A x is {:.3g}, the tolerance {:.3g}; by the recurrence it is {:.3g}",
                     loop.residual(), loop.tolerance(), loop.recurrence());
}

}  // namespace quoin
