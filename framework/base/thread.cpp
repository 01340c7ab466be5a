#include "base/thread.hpp"

#include <csignal>
#include <system_error>
#include <utility>

#include "quoin/error.hpp"

namespace quoin {

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
