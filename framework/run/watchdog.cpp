#include "quoin/watchdog.hpp"

#include <utility>

#include "base/thread.hpp"

namespace quoin {

using Steady = std::chrono::steady_clock;

Watchdog::Watchdog(double seconds, std::function<void()> bite)
    : limit_(seconds), bite_(std::move(bite)), last_(Steady::now()) {
  if (seconds > 0.0) thread_ = start_thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Watchdog::heard() {
  const std::lock_guard lock(mutex_);
  last_ = Steady::now();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    const auto end = last_ + std::chrono::duration_cast<Steady::duration>(limit_);
    if (Steady::now() >= end) {
      bite_();
      return;
    }
    wake_.wait_until(lock, end);
  }
}

}  // namespace quoin
