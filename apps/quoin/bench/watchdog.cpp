#include "bench/watchdog.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "commands.hpp"
#include "quoin/error.hpp"

namespace quoin::bench {

Watchdog::Watchdog(double patience, std::string where)
    : patience_(patience), where_(std::move(where)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::begins(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  since_ = Clock::now();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    const auto late = since_ + std::chrono::duration_cast<Clock::duration>(patience_);
    if (Clock::now() < late) {
      changed_.wait_until(lock, late);
      continue;
    }
    fail(fmt::format("{}: {} did not end in {:g} s: a kernel hangs, or --patience is too short", where_, what_,
                     patience_.count()),
         static_cast<int>(ErrorKind::device));
    std::_Exit(static_cast<int>(ErrorKind::device));  // the thread that waits for the device cannot be asked to
  }
}

}  // namespace quoin::bench
