#include "run/signals.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace quoin {
namespace {

constexpr std::array watched{SIGINT, SIGTERM};
std::atomic<int> noted{0};
std::array<struct sigaction, watched.size()> earlier{};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) { noted = signal; }

}  // namespace

SignalWatch::SignalWatch() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &action, &earlier[k]);
}

SignalWatch::~SignalWatch() {
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &earlier[k], nullptr);
}

int SignalWatch::caught() const { return noted; }

}  // namespace quoin
