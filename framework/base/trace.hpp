#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "quoin/executor.hpp"

namespace quoin {

/// The timeline of a run: every launch and copy, in the Chrome/Perfetto trace format.
class Trace {
 public:
  /// Seconds of std::chrono::steady_clock.
  static double now();
  /// A span of the timeline, by now().
  struct Span {
    std::string category;  ///< kernel, copy in, copy out, wait, or what a plugin calls it
    std::string name;
    double begin;
    double seconds;
    double bytes;  ///< 0 where unknown
    int row;       ///< 0: the queue as the framework sees it; 1: spans that the plugin timed itself; 2: waits for ranks
  };

  /// While one lives, the spans that plugins time themselves go to it.
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// An executor that does what `inner` does and adds each launch and copy, timed by the device's events. Spans
  /// appear when their queue is synchronised or copied from. The trace must outlive it.
  std::shared_ptr<Executor> watch(std::shared_ptr<Executor> inner);
  void add(Span span);
  /// Adds a plugin's span to the trace that lives, if any.
  static void from_plugin(const char* category, const char* name, double begin, double end);
  /// The same for a wait for other ranks.
  static void waited(double begin, double seconds);

  /// The spans as bytes, for another rank.
  [[nodiscard]] std::string packed() const;
  /// Of another rank: what its packed() says, and by how many seconds its clock is ahead.
  struct Lane {
    std::string name;
    std::string packed;
    double clock_ahead = 0.0;
  };
  /// The file, with this process in its first lane.
  [[nodiscard]] std::string json(const std::string& name = {}, const std::vector<Lane>& others = {}) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Span> spans_;
};

}  // namespace quoin
