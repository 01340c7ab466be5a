#include "queue.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "quoin/error.hpp"

namespace quoin::check {

void Work::run(const Mark* mark) {
  while (!tasks_.empty() && (mark == nullptr || !mark->reached)) {
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    try {
      task();
    } catch (...) {
      tasks_.clear();
      throw;
    }
  }
}

void reach(const Mark& mark) {
  if (const auto work = mark.work.lock()) work->run(&mark);
  if (!mark.reached) throw Error(ErrorKind::bug, "an event is never reached: the work before it has failed");
}

double CheckedEvent::seconds_since(const Event& earlier) const {
  const Mark& first = *static_cast<const CheckedEvent&>(earlier).mark();
  const Mark& last = *mark();
  reach(first);
  reach(last);
  return last.seconds - first.seconds;
}

const std::shared_ptr<Mark>& CheckedEvent::mark() const {
  if (!mark_) throw Error(ErrorKind::bug, "an event is used that was never recorded");
  return mark_;
}

CheckedQueue::CheckedQueue(std::shared_ptr<Ledger> ledger, bool deferred)
    : ledger_(std::move(ledger)), deferred_(deferred) {}

CheckedQueue::~CheckedQueue() {
  try {
    work_->run();
  } catch (const std::exception& error) {
    ledger_->note(error.what());
  }
}

void CheckedQueue::add(std::function<void()> task) {
  work_->add(std::move(task));
  if (!deferred_) work_->run();
}

void CheckedQueue::copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) {
  auto allocation = checked_range(target, offset, source.size(), "copy_in");
  add([allocation, offset, bytes = std::vector<std::byte>(source.begin(), source.end())] {
    check_alive(*allocation, "copy_in");
    if (!bytes.empty()) std::memcpy(allocation->data() + offset, bytes.data(), bytes.size());
  });
}

void CheckedQueue::copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) {
  const auto allocation = checked_range(source, offset, target.size(), "copy_out");
  synchronize();
  if (!target.empty()) std::memcpy(target.data(), allocation->data() + offset, target.size());
}

std::byte* CheckedQueue::map(Memory& memory, std::size_t offset, std::size_t bytes) {
  const auto allocation = checked_range(memory, offset, bytes, "map");
  synchronize();
  void* const pages = mmap(nullptr, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw Error(ErrorKind::device, "out of memory for what the host asks to look at");
  auto* const address = static_cast<std::byte*>(pages);
  std::copy_n(allocation->data() + offset, bytes, address);
  allocation->lent = true;
  lent_.push_back({address, bytes, allocation, offset});
  return address;
}

void CheckedQueue::unmap(Memory& memory, std::byte* address) {
  const auto& allocation = static_cast<CheckedMemory&>(memory).allocation();
  const auto lent = std::ranges::find(lent_, address, &Lent::address);
  if (lent == lent_.end() || lent->allocation != allocation)
    throw Error(ErrorKind::bug, "unmap: the host has nothing of " + allocation->name() + " at that address");
  std::copy_n(address, lent->bytes, allocation->data() + lent->offset);
  munmap(address, lent->bytes + 1);
  allocation->lent = false;
  lent_.erase(lent);
}

void CheckedQueue::record(Event& event) {
  auto mark = std::make_shared<Mark>();
  mark->work = work_;
  static_cast<CheckedEvent&>(event).record(mark);
  add([mark] {
    mark->reached = true;
    mark->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  });
}

void CheckedQueue::wait(const Event& event) {
  add([mark = static_cast<const CheckedEvent&>(event).mark()] { reach(*mark); });
}

void CheckedQueue::synchronize() {
  work_->run();
  ledger_->check();
}

void CheckedQueue::launch(std::function<void()> task) {
  ++launches_;
  add(std::move(task));
}

}  // namespace quoin::check
