#pragma once

#include <exception>
#include <functional>
#include <thread>

namespace quoin {

/// Something that is done on a thread of its own while the caller goes on.
class Beside {
 public:
  /// What was started before is waited for, as by finish(). Where the system starts no more threads it is done at once.
  void start(std::function<void()> work);
  /// Waits until it is done; throws what it threw.
  void finish();

 private:
  std::exception_ptr failure_;
  std::jthread worker_;  // last, for it uses the other
};

}  // namespace quoin
