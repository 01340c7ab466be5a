#pragma once

// The rows of the microbenchmark that write, copy and sum an array which is larger than caches.

#include <memory>
#include <vector>

#include "bench/small_rows.hpp"
#include "quoin/buffer.hpp"

namespace quoin::bench::memory {

/// An array that the host writes and one that a kernel copies it to, both in one kind of memory; the copy is summed.
class LargeRows {
 public:
  /// Throws ErrorKind::device where that is not there.
  LargeRows(const std::shared_ptr<Executor>& executor, MemoryKind kind, std::int64_t mebibytes);
  /// Does all three, and keeps the times where they are `counted`. Throws ErrorKind::device where the sum is not that
  /// of what the host has written.
  void run(Queue& queue, Lead& lead, bool counted);

  std::vector<Times> times;

 private:
  void write(Queue& queue);
  void check(Queue& queue);

  std::shared_ptr<Executor> executor_;
  std::int64_t columns_;
  Buffer<double> source_, target_, sums_;
  std::unique_ptr<Kernel> copy_, sum_;
  std::vector<std::unique_ptr<Event>> events_;
  std::vector<std::byte> room_;
  double written_ = 0.0;  ///< the sum of what the host has written, which is exact: all are small integers
  int runs_ = 0;
};

}  // namespace quoin::bench::memory
