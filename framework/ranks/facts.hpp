#pragma once

#include <string>
#include <vector>

#include "quoin/communicator.hpp"

namespace quoin {

/// Where a rank runs, and how long it has waited for others.
struct RankFacts {
  std::string host, backend, device;
  double waiting_seconds = 0.0;  ///< of the loop; gather_facts() leaves it
};
/// Those of all ranks, by rank, on the first one; nothing on the others. All make the call, each with its own.
std::vector<RankFacts> gather_facts(Communicator& ranks, const std::string& backend, const std::string& device);

}  // namespace quoin
