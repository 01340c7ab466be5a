#pragma once

// What ranks do together, over the seam of quoin/communicator.hpp. All of them call each of these, in the same order.

#include <cstdint>
#include <span>
#include <string>

#include "quoin/communicator.hpp"
#include "quoin/tree_digest.hpp"

namespace quoin {

/// Joins digest k of all ranks, for each k. The parts of the ranks follow one another in the order of ranks.
template <class T>
void combine_sums(Communicator& ranks, std::span<TreeDigest<T>> digests);

/// The least of the values of all ranks.
[[nodiscard]] std::int64_t least_of(Communicator& ranks, std::int64_t value);

/// The text of the first rank.
[[nodiscard]] std::string text_of_first(Communicator& ranks, std::string text);

/// "rank 2 (host)".
[[nodiscard]] std::string name_of(const Communicator& ranks);

}  // namespace quoin
