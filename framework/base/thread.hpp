#pragma once

#include <functional>
#include <thread>

namespace quoin {

/// Starts a thread, which is joined when it goes. Signals are not for it, but for the one that computes. Throws
/// ErrorKind::device where the system starts no more.
std::jthread start_thread(std::function<void()> body);

}  // namespace quoin
