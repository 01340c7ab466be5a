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
  /// A span of the timeline; seconds of std::chrono::steady_clock.
  struct Span {
    std::string category;  ///< kernel, copy in, copy out, or what a plugin calls it
    std::string name;
    double begin;
    double seconds;
    double bytes;  ///< 0 where unknown
    int row;       ///< 0: the queue as the framework sees it; 1: spans that the plugin timed itself
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
  [[nodiscard]] std::string json() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Span> spans_;
};

}  // namespace quoin
