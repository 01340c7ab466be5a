#include "base/beside.hpp"

#include <utility>

#include "base/thread.hpp"
#include "quoin/error.hpp"

namespace quoin {

void Beside::start(std::function<void()> work) {
  finish();
  const auto guarded = [this, work = std::move(work)]() noexcept {
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  };
  try {
    worker_ = start_thread(guarded);
  } catch (const Error&) {  // the system starts no more
    guarded();
  }
}

void Beside::finish() {
  if (worker_.joinable()) worker_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace quoin
