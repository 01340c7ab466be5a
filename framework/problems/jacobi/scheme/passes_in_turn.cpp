#include "problems/jacobi/scheme/passes_in_turn.hpp"

#include <algorithm>

namespace quoin {

void PassesInTurn::load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) {
  u_[current_].upload(queue, iterate);
  u_[1 - current_].upload(queue, sides);
  launched_.clear();
}

void PassesInTurn::launch(Queue& queue, std::int64_t iteration, std::int64_t count) {
  for (std::int64_t done = 0; done < count;) {
    const Sweeps sweeps{iteration + done, std::min(depth_, count - done)};
    pass(queue, (current_ + launched_.size()) % 2, sweeps, done);
    launched_.push_back(sweeps);
    done += sweeps.count;
  }
}

/// A pass that stopped on its way is done again with fewer sweeps, from its input, which nothing has touched: on the
/// device all later launches have left everything as it was.
void PassesInTurn::settle(Queue& queue, std::int64_t done) {
  for (const auto& [iteration, count] : launched_) {
    if (done <= 0) break;
    if (done < count) {
      norm_.reset(queue);
      pass(queue, current_, {iteration, done}, 0);
    }
    done -= count;
    current_ = 1 - current_;
  }
  launched_.clear();
}

std::vector<double> PassesInTurn::repeated(std::vector<double> cycle) {
  cycle_ = static_cast<std::int64_t>(cycle.size());
  for (std::int64_t k = 0; k < depth_; ++k) cycle.push_back(cycle[static_cast<std::size_t>(k)]);
  return cycle;
}

}  // namespace quoin
