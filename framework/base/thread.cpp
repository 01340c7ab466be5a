#include "base/thread.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <system_error>
#include <utility>

#include "quoin/error.hpp"

namespace quoin {

namespace {

std::atomic<std::int64_t> limit = 0;

}  // namespace

void limit_threads(std::int64_t most) { limit = most; }

std::int64_t most_threads() {
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  return limit > 0 ? std::min(limit.load(), cores) : cores;
}

std::jthread start_thread(std::function<void()> body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::jthread thread(std::move(body));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
  } catch (const std::system_error& error) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw Error(ErrorKind::device, "a thread cannot be started: " + error.code().message() +
                                       "; raise the limit on processes (ulimit -u) or on memory (ulimit -v)");
  }
}

}  // namespace quoin
