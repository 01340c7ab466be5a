#pragma once

#include <functional>
#include <thread>

namespace quoin {

/// Starts a thread, which is joined when it goes. Throws ErrorKind::device where the system starts no more.
std::jthread start_thread(std::function<void()> body);

}  // namespace quoin
