#include "run/signals.hpp"

#include <semaphore.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <utility>

#include "base/thread.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr std::array watched{SIGINT, SIGTERM};
constexpr int again = 1 << 16;  // beside the signal's number: it was not the first
std::atomic<int> noted{0};
std::array<struct sigaction, watched.size()> earlier{};
static_assert(std::atomic<int>::is_always_lock_free);

/// Rises with the second signal, and when the watch ends. A semaphore is what a signal handler may use.
sem_t& hurry() {
  static sem_t semaphore{};
  return semaphore;
}

void note(int signal) {
  const int saved = errno;
  if (noted != 0) sem_post(&hurry());
  noted = noted == 0 ? signal : signal | again;
  errno = saved;
}

timespec after(double seconds) {
  timespec when{};
  clock_gettime(CLOCK_MONOTONIC, &when);
  const double nanoseconds = 1e-9 * static_cast<double>(when.tv_nsec) + std::fmod(seconds, 1.0);
  when.tv_sec += static_cast<time_t>(std::floor(seconds)) + static_cast<time_t>(std::floor(nanoseconds));
  when.tv_nsec = static_cast<long>(1e9 * std::fmod(nanoseconds, 1.0));
  return when;
}

}  // namespace

SignalWatch::SignalWatch(double grace, std::function<void()> overdue) : overdue_(std::move(overdue)) {
  noted = 0;
  sem_init(&hurry(), 0, 0);
  try {
    thread_ = start_thread([this, grace] { wait(grace); });
  } catch (const Error&) {  // a run that ends in order does without
  }
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &action, &earlier[k]);
}

SignalWatch::~SignalWatch() {
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &earlier[k], nullptr);
  done_ = true;
  sem_post(&hurry());
}

void SignalWatch::wait(double grace) const {
  while (sem_wait(&hurry()) != 0) {
  }
  const timespec deadline = after(grace);
  while (!done_) {  // more signals change nothing
    if (sem_clockwait(&hurry(), CLOCK_MONOTONIC, &deadline) != 0 && errno == ETIMEDOUT) return overdue_();
  }
}

int SignalWatch::caught() const { return noted & ~again; }
bool SignalWatch::urgent() const { return (noted & again) != 0; }

}  // namespace quoin
