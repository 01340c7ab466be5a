#pragma once

// Device time by kernel, from events.

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Times the launches of a chunk. An event on each side of every launch would keep a GPU from starting one while
/// another ends, which takes as long as a small kernel: so only a few launches of each kind have them, now and then.
/// The whole chunk is timed, and shared out as those took.
class KernelTimer {
 public:
  /// `executor` outlives this.
  explicit KernelTimer(Executor& executor);

  /// A row of the closing table, by its index. Kernels that give the same name share one.
  std::size_t add(const std::string& name);
  /// Starts a chunk. One that is not collected is as if it had not been.
  void begin(Queue& queue);
  /// Ends it, before the queue is waited for.
  void end(Queue& queue);
  /// Stand around a launch of `row`. Launches of a row that cost the same are of one kind. `roofline_bytes` as in
  /// KernelRow.
  void before(Queue& queue, std::size_t row, const Cost& cost, double roofline_bytes);
  void after(Queue& queue);
  /// What a launch is to the timer.
  struct Launch {
    std::size_t kind;
    double roofline_bytes;
  };
  /// Launches from here on go into this list, until it is null, and are not of the chunk.
  void record_into(std::vector<Launch>* sequence) { sequence_ = sequence; }
  /// How many times launches like these are still to have events of their own.
  [[nodiscard]] int wanted(std::span<const Launch> launches) const;
  /// They are launched, as a sequence.
  void add(std::span<const Launch> launches);
  /// Launches of this chunk so far.
  [[nodiscard]] std::size_t launches() const { return launches_.size(); }
  /// Adds the first `launches` launches of the chunk to the rows and returns their seconds. The others are
  /// dropped: after a stop on the device they did nothing.
  double collect(std::size_t launches);

  [[nodiscard]] const std::vector<KernelRow>& rows() const { return rows_; }

 private:
  struct Kind {
    std::size_t row;
    Cost cost;
    int timed = 0;     ///< launches that were, since it was last asked for; those of this chunk among them
    double all = 0.0;  ///< seconds of those that were collected
    int collected = 0;
    double typical = 0.0;  ///< seconds of a launch; 0 before one was collected
  };
  struct Sample {
    std::size_t launch;
    std::size_t before, after;  ///< events
  };
  std::size_t kind_of(std::size_t row, const Cost& cost);
  std::size_t record(Queue& queue);
  void take_samples(std::size_t launches);

  Executor& executor_;
  std::vector<std::unique_ptr<Event>> events_;
  std::size_t recorded_ = 0;  ///< events of this chunk
  bool at_event_ = false;     ///< whether nothing was launched since the last one
  std::vector<Launch> launches_;
  std::vector<Launch>* sequence_ = nullptr;
  std::vector<Sample> samples_;
  std::vector<Kind> kinds_;
  std::vector<KernelRow> rows_;
  std::size_t chunks_ = 0;  ///< that were collected
};

/// Launches that are made once, and then submitted together any number of times, where the backend can do that.
class TimedSequence {
 public:
  /// Those of `launch()`, by TimedKernels of this timer in this queue; they are not run. The kernels and what they read
  /// and write must outlive it.
  TimedSequence(Queue& queue, KernelTimer& timer, const std::function<void()>& launch);
  /// Whether it can be run: not where the backend has no sequences.
  [[nodiscard]] bool exists() const { return sequence_ != nullptr; }
  /// How many times the timer wants to see its launches one by one, by the end of the chunk: launch() is to be called
  /// instead, best where the device has other work before it, for that takes the host longer.
  [[nodiscard]] int wanted() const { return timer_->wanted(launches_); }
  void run(Queue& queue) {
    timer_->add(launches_);
    queue.run_sequence(*sequence_);
  }

 private:
  KernelTimer* timer_;
  std::vector<KernelTimer::Launch> launches_;
  std::unique_ptr<Sequence> sequence_;
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
  /// Of a launch on the fixed box.
  [[nodiscard]] const Cost& cost() const { return cost_; }

 private:
  /// On each of these boxes, timed and counted as one launch.
  void put(Queue& queue, std::span<const Box> boxes, std::span<const Argument> arguments, const Cost& cost,
           double roofline_bytes);

  std::unique_ptr<Kernel> kernel_;
  Box box_;
  KernelTimer* timer_;
  std::size_t row_;
  Cost cost_;
};

}  // namespace quoin
