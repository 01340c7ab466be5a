#pragma once

#include <string>
#include <vector>

#include "quoin/communicator.hpp"

namespace quoin {

/// Where a rank runs.
struct RankFacts {
  std::string host, backend, device;
};
/// Those of all ranks, by rank, on the first one; nothing on the others. All make the call, each with its own.
std::vector<RankFacts> gather_facts(Communicator& ranks, const std::string& backend, const std::string& device);

}  // namespace quoin
