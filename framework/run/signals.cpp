#include "run/signals.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace quoin {
namespace {

constexpr std::array watched{SIGINT, SIGTERM};
constexpr int again = 1 << 16;  // beside the signal's number: it was not the first
std::atomic<int> noted{0};
std::array<struct sigaction, watched.size()> earlier{};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) { noted = noted == 0 ? signal : signal | again; }

}  // namespace

SignalWatch::SignalWatch() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &action, &earlier[k]);
}

SignalWatch::~SignalWatch() {
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &earlier[k], nullptr);
}

int SignalWatch::caught() const { return noted & ~again; }
bool SignalWatch::urgent() const { return (noted & again) != 0; }

}  // namespace quoin
