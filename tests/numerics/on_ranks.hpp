#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "device.hpp"
#include "quoin/problem.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin::test {

inline std::shared_ptr<Executor> own_executor() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  return another_executor();
}

/// Sets the problem up that make() gives, on each of so many ranks; the first one calls lead(problem) then, and the
/// others follow.
template <class Make, class Lead>
void on_ranks(int ranks, const Make& make, const Lead& lead) {
  testing::run_ranks(ranks, [&](Communicator& communicator) {
    auto problem = make();
    problem->set_up_part(own_executor(), communicator);
    communicator.rank() == 0 ? lead(*problem) : problem->follow();
  });
}

}  // namespace quoin::test
