#pragma once

// A queue that does nothing until somebody waits, as an asynchronous device may: whoever forgets to wait,
// or forgets the event between two queues, gets stale data here every time.

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "memory.hpp"
#include "quoin/executor.hpp"

namespace quoin::check {

class Work;

/// A recorded point in a queue's work.
struct Mark {
  std::weak_ptr<Work> work;
  bool reached = false;
  double seconds = 0.0;
};

/// The pending work of a queue, in order.
class Work {
 public:
  void add(std::function<void()> task) { tasks_.push_back(std::move(task)); }
  /// Works until `mark` is reached, or until nothing is left; what fails is thrown and drops the rest.
  void run(const Mark* mark = nullptr);

 private:
  std::deque<std::function<void()>> tasks_;
};

/// Works on the mark's queue until it is reached; throws ErrorKind::bug where that queue has failed.
void reach(const Mark& mark);

class CheckedEvent : public Event {
 public:
  [[nodiscard]] double seconds_since(const Event& earlier) const override;
  /// The last recorded mark; throws ErrorKind::bug where there is none.
  [[nodiscard]] const std::shared_ptr<Mark>& mark() const;
  void record(std::shared_ptr<Mark> mark) { mark_ = std::move(mark); }

 private:
  std::shared_ptr<Mark> mark_;
};

class CheckedQueue : public Queue {
 public:
  CheckedQueue(std::shared_ptr<Ledger> ledger, bool deferred);
  ~CheckedQueue() override;
  void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) override;
  void copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) override;
  /// The host gets a copy in pages of its own, which go with unmap(): whoever looks there later, crashes.
  std::byte* map(Memory& memory, std::size_t offset, std::size_t bytes) override;
  void unmap(Memory& memory, std::byte* address) override;
  void record(Event& event) override;
  void wait(const Event& event) override;
  void synchronize() override;
  [[nodiscard]] std::uint64_t launches() const override { return launches_; }
  void launch(std::function<void()> task);

 private:
  struct Lent {
    std::byte* address;
    std::size_t bytes;
    std::shared_ptr<Allocation> allocation;
    std::size_t offset;
  };
  void add(std::function<void()> task);

  std::shared_ptr<Ledger> ledger_;
  bool deferred_;
  std::shared_ptr<Work> work_ = std::make_shared<Work>();
  std::uint64_t launches_ = 0;
  std::vector<Lent> lent_;
};

}  // namespace quoin::check
