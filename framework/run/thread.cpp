#include "run/thread.hpp"

#include <system_error>
#include <utility>

#include "quoin/error.hpp"

namespace quoin {

std::jthread start_thread(std::function<void()> body) {
  try {
    return std::jthread(std::move(body));
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::device, "a thread cannot be started: " + error.code().message() +
                                       "; raise the limit on processes (ulimit -u) or on memory (ulimit -v)");
  }
}

}  // namespace quoin
