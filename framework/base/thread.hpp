#pragma once

#include <cstdint>
#include <functional>
#include <thread>

namespace quoin {

/// Starts a thread, which is joined when it goes. Signals are not for it, but for the one that computes. Throws
/// ErrorKind::device where the system starts no more.
std::jthread start_thread(std::function<void()> body);

/// From now on the process shares items out among so many threads at most; 0: among as many as there are cores.
void limit_threads(std::int64_t most);
/// As many as there are cores, or that limit where it is lower.
std::int64_t most_threads();

}  // namespace quoin
