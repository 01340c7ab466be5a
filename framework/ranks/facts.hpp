#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quoin/communicator.hpp"

namespace quoin {

/// What a rank has had to do with others.
struct Traffic {
  double waiting_seconds = 0.0;  ///< in calls that wait for them
  std::int64_t messages = 0;     ///< that it has sent to one other rank each
  std::int64_t bytes = 0;        ///< of these
  std::int64_t collectives = 0;  ///< sums and the like, which all ranks make together

  friend Traffic operator-(const Traffic& a, const Traffic& b) {
    return {a.waiting_seconds - b.waiting_seconds, a.messages - b.messages, a.bytes - b.bytes,
            a.collectives - b.collectives};
  }
};

/// What a rank takes of a device of its own memory, which may be that of other ranks of the host as well.
struct DeviceShare {
  std::string place{};               ///< tells it from others of the host; empty: nobody shares it
  double bytes = 0.0, memory = 0.0;  ///< of so many; 0 where unknown
};

/// Where a rank runs, and what it has had to do with others.
struct RankFacts {
  std::string host{}, backend{}, device{};
  DeviceShare share{};
  Traffic traffic{};  ///< of the loop; gather_facts() leaves it
};
/// Those of all ranks, by rank, on the first one; nothing on the others. All make the call, each with its own, whose
/// host is that of the communicator.
std::vector<RankFacts> gather_facts(Communicator& ranks, const RankFacts& own);
/// Throws ErrorKind::device where ranks that share a device need more memory than it has.
void require_room_on_devices(const std::vector<RankFacts>& ranks);

}  // namespace quoin
