#pragma once

#include <string>

#include "quoin/communicator.hpp"
#include "quoin/error.hpp"

namespace quoin {

/// Of an error: `rank 2 (host)`.
inline std::string place_of(int rank, const std::string& host) {
  return "rank " + std::to_string(rank) + " (" + host + ")";
}

inline std::string place_of(const Communicator& ranks) { return place_of(ranks.rank(), ranks.host().name); }

inline void check_rank(const Communicator& ranks, int rank) {
  if (rank < 0 || rank >= ranks.size())
    throw Error(ErrorKind::bug, "there is no rank " + std::to_string(rank) + " of " + std::to_string(ranks.size()),
                place_of(ranks));
}

inline void check_address(const Communicator& ranks, int rank, int tag) {
  check_rank(ranks, rank);
  if (tag < 0 || tag > Communicator::last_tag)
    throw Error(ErrorKind::bug, "a message with the tag " + std::to_string(tag), place_of(ranks));
}

/// `what` came, such as `a message of rank 1 with tag 3`.
inline void check_length(std::size_t asked, std::size_t came, const std::string& what, const std::string& place) {
  if (asked != came)
    throw Error(ErrorKind::bug,
                what + " has " + std::to_string(came) + " bytes, but " + std::to_string(asked) + " were asked for",
                place);
}

/// `a message of rank 1 with tag 3`.
inline std::string message_name(int from, int tag) {
  return "a message of rank " + std::to_string(from) + " with tag " + std::to_string(tag);
}

}  // namespace quoin
