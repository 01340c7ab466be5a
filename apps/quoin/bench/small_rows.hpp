#pragma once

// The rows of the microbenchmark that launch a kernel over 6144 integers.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/memory_rows.hpp"
#include "quoin/buffer.hpp"

namespace quoin::bench::memory {

/// The microseconds of a row in one kind of memory.
struct Times {
  MemoryKind kind;
  std::string row;
  std::vector<double> us;
};

/// What a row launches: how often each point adds, and how far apart their elements are, 0 where all have the same.
struct KernelRow {
  const char* name;
  const char* kernel;
  std::int64_t rounds;
  std::int64_t apart;
};
std::span<const KernelRow> kernel_rows();

/// In the precision that every backend has of its own; the integers are the same in each.
KernelSpec spec_of(const Executor& executor, const std::string& kernel);

/// A row in one kind of memory, with integers of its own that start at zero.
class Adder {
 public:
  Adder(const std::shared_ptr<Executor>& executor, Queue& queue, Kernel& kernel, const KernelRow& row, MemoryKind kind);
  void launch(Queue& queue);
  /// The first integer, by the host's look at its 4 bytes. Throws ErrorKind::device where that is not what it has come
  /// to.
  void look(Queue& queue);
  /// Throws ErrorKind::device where an integer is not what the launches must have made of it.
  void check(Queue& queue);

  Times times;

 private:
  [[nodiscard]] std::int64_t expected() const;

  const KernelRow& row_;
  Kernel* kernel_;
  Buffer<std::int32_t> x_;
  std::int64_t launches_ = 0;
  std::vector<std::byte> room_;
};

/// A kernel of a millisecond or two: while it runs, the launches after it are put into the queue, so that none
/// of them waits for the host.
class Lead {
 public:
  Lead(const std::shared_ptr<Executor>& executor, Queue& queue, Kernel& atomic_add);
  void launch(Queue& queue);

 private:
  KernelRow row_;
  std::unique_ptr<Adder> adder_;
};

}  // namespace quoin::bench::memory
