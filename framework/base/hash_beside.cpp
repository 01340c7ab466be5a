#include "base/hash_beside.hpp"

#include <algorithm>
#include <utility>

#include "base/thread.hpp"
#include "quoin/error.hpp"

namespace quoin {

void HashBeside::add(std::span<const std::byte> bytes) {
  constexpr std::size_t block = std::size_t{2} << 20U;  // small enough for a core's cache, worth a thread
  while (!bytes.empty()) {
    const std::size_t more = std::min(bytes.size(), block - filling_.size());
    filling_.insert(filling_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(more));
    bytes = bytes.subspan(more);
    if (filling_.size() < block) return;
    wait();
    std::swap(filling_, full_);
    filling_.clear();
    const auto work = [this]() noexcept {
      try {
        hash_.add(full_);
      } catch (...) {
        failure_ = std::current_exception();
      }
    };
    try {
      worker_ = start_thread(work);
    } catch (const Error&) {  // the system starts no more
      work();
    }
  }
}

void HashBeside::finish() {
  wait();
  hash_.add(filling_);
  filling_.clear();
}

void HashBeside::wait() {
  if (worker_.joinable()) worker_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace quoin
