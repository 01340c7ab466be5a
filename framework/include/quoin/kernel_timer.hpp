#pragma once

// Device time by kernel, by events that were made before the loop.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quoin/executor.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Throws ErrorKind::device where the executor does not have the kernel.
void require_kernel(const Executor& executor, const KernelSpec& spec);

/// Times the launches of a chunk. An event after each would keep a GPU from starting the next launch while one ends,
/// which takes as long as a small kernel: so only few chunks have them, where launch k took the time from event k to
/// event k + 1. Of the others the whole is timed, and shared out as the kernels' launches last took.
class KernelTimer {
 public:
  /// Makes the events for up to `launches` launches a chunk.
  KernelTimer(Executor& executor, std::size_t launches);

  /// A row of the closing table, by its index. Kernels that give the same name share one.
  std::size_t add(const std::string& name);
  /// Starts a chunk. One that is not collected is as if it had not been.
  void begin(Queue& queue);
  /// Ends it, before the queue is waited for.
  void end(Queue& queue);
  /// Ends the launch that `row` has just made. `roofline_bytes` as in KernelRow.
  void mark(Queue& queue, std::size_t row, const Cost& cost, double roofline_bytes);
  /// Launches of this chunk so far.
  [[nodiscard]] std::size_t launches() const { return launches_.size(); }
  /// Adds the first `launches` launches of the chunk to the rows and returns their seconds. The others are
  /// dropped: after a stop on the device they did nothing.
  double collect(std::size_t launches);

  [[nodiscard]] const std::vector<KernelRow>& rows() const { return rows_; }

 private:
  struct Launch {
    std::size_t row;
    Cost cost;
    double roofline_bytes;
  };
  void look_at_each(std::size_t launches);

  std::vector<std::unique_ptr<Event>> events_;
  std::vector<Launch> launches_;
  std::vector<KernelRow> rows_;
  std::vector<double> typical_;  ///< seconds of a launch of each row, when they were last timed one by one; or 0
  std::size_t chunks_ = 0;       ///< that were collected
  bool each_ = true;             ///< this chunk's launches are timed one by one
};

/// How many iterations or steps to launch next, so that the host looks at the device about ten times a second: `done`
/// took `seconds`, and a chunk grows at most fourfold and to `longest`.
std::int64_t next_chunk(std::int64_t done, double seconds, std::int64_t chunk, std::int64_t longest);

/// A kernel whose launches are timed, on a fixed box where none is given.
class TimedKernel {
 public:
  /// `row` names its row of the table, by itself the kernel's name. Throws ErrorKind::device where the executor does
  /// not have the kernel. `cost` of a launch takes the place of the kernel's own.
  TimedKernel(Executor& executor, const KernelSpec& spec, const Box& box, KernelTimer& timer,
              const std::string& row = {}, const std::optional<Cost>& cost = {});
  /// `share`: of the kernel's operations, where a launch does not do them all; `sweeps`: done in this one pass.
  void launch(Queue& queue, std::span<const Argument> arguments, double share = 1.0, double sweeps = 1.0) {
    launch(queue, box_, arguments, share, sweeps);
  }
  /// On a box, counted as if it were the fixed one.
  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments, double share, double sweeps);
  /// On another box, neither timed nor counted: the launch beside it is.
  void launch_beside(Queue& queue, const Box& box, std::span<const Argument> arguments) {
    kernel_->launch(queue, box, arguments);
  }
  /// Where a launch costs something else than the others.
  void launch(Queue& queue, std::span<const Argument> arguments, const Cost& cost);
  /// On each of these boxes, one after the other, timed and counted as one launch.
  void launch(Queue& queue, std::span<const Box> boxes, std::span<const Argument> arguments, const Cost& cost);
  /// On another box.
  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments);

 private:
  std::unique_ptr<Kernel> kernel_;
  Box box_;
  KernelTimer* timer_;
  std::size_t row_;
  Cost cost_;
};

}  // namespace quoin
