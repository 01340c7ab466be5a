#include "ranks/waiting.hpp"

#include <chrono>
#include <cstdlib>

namespace quoin {
namespace {

/// Adds the time from its making to its end.
class Added {
 public:
  explicit Added(double& seconds) : seconds_(seconds) {}
  Added(const Added&) = delete;
  Added& operator=(const Added&) = delete;
  ~Added() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(); }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace

void WaitingTime::broadcast(std::span<std::byte> bytes, int root) {
  const Added added(seconds_);
  ranks_.broadcast(bytes, root);
}

void WaitingTime::wait(Transfer& transfer) {
  const Added added(seconds_);
  ranks_.wait(transfer);
}

void WaitingTime::abort(int code) noexcept {
  ranks_.abort(code);
  std::_Exit(code);
}

}  // namespace quoin
