#pragma once

// Ranks that are threads of the test, for tests of what runs on several. Nothing waits for ever: where ranks wait for
// each other, or for one that has ended, their calls throw. Of the CMake target Quoin::testing.

#include <cstdint>
#include <functional>
#include <optional>

#include "quoin/communicator.hpp"

namespace quoin::testing {

struct RankOptions {
  /// A seed of what a network may do and a memory does not: messages are late and overtake those of another sender or
  /// tag, a send may wait until its receive is called, and combine() brackets differently on every rank.
  std::optional<std::uint64_t> shuffle;
};

/// Calls body once for each rank, on a thread of its own. Throws what the first rank threw that failed by itself; the
/// calls of others that wait then throw an Error of the same kind, ErrorKind::bug where it was no Error. ErrorKind::bug
/// where ranks wait for each other or for one that has ended, where they make other collective calls, and where a
/// message was never received. Where of transfers only done() is asked, again and again, or while_waiting() has
/// something to call, no such end is seen. abort() ends the process.
void run_ranks(int ranks, const std::function<void(Communicator&)>& body, const RankOptions& options = {});

}  // namespace quoin::testing
