#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/communicator.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// How the passes over a rank's part are cut: into the rows next to other parts, whose results travel while those
/// between are computed. Each but the last ends where a row of the reduction tree's blocks does.
struct Bands {
  std::vector<Strip> rows;  ///< counted in the part, in order
  std::size_t inner = 0;    ///< which of them lies between the others; all of the part where it is not cut

  [[nodiscard]] bool cut() const { return rows.size() > 1; }
};

/// The queue of what lies next to other parts, beside one that computes the inner band.
class EdgeQueue {
 public:
  explicit EdgeQueue(Executor& executor)
      : queue_(executor.queue()), begun_(executor.event()), done_(executor.event()) {}

  [[nodiscard]] Queue& queue() { return *queue_; }
  /// Its next work follows all that `inner` has so far.
  void begin_after(Queue& inner) {
    inner.record(*begun_);
    queue_->wait(*begun_);
  }
  /// What `inner` is given next follows all that this one has.
  void end_before(Queue& inner) {
    queue_->record(*done_);
    inner.wait(*done_);
  }

 private:
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Event> begun_, done_;
};

/// Those of the variants whose passes are cut, where the part has room for them. Each rank has its own.
Bands bands_of(const JacobiSetup& setup, const Communicator& ranks, const Executor& executor);

}  // namespace quoin
