#pragma once

// What ranks do together, over any communicator. Each of these calls is collective: all ranks make it, in the same
// order as their other collective calls.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "quoin/communicator.hpp"
#include "quoin/tree_digest.hpp"

namespace quoin {

/// How a rank's work ended.
struct RankOutcome {
  int code = 0;         ///< the exit code that it leads to
  std::string text{};   ///< and why
  std::string where{};  ///< as of an Error
  int rank = 0;         ///< whose it is, and of which host: set by agree()
  std::string host{};
};

/// Whether code `a` says more of what was wrong than `b`: a bug (1) and any code that is not Quoin's, such as that of a
/// signal that kills; then what failed around the numbers, device (7), files (6), checkpoint (9), plugin (8), case (3)
/// and usage (2); then the numbers, diverged (5) and not converged (4); then who ended it, 143 and 130; then 0.
[[nodiscard]] bool worse_code(int a, int b);

/// The worst outcome of all ranks, on all; that of the lowest rank where several are equally bad.
[[nodiscard]] RankOutcome agree(Communicator& ranks, const RankOutcome& own);

/// The text of rank 0, on all.
[[nodiscard]] std::string share(Communicator& ranks, std::string text);
/// The value of rank 0, on all.
template <class T>
[[nodiscard]] T share_value(Communicator& ranks, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  ranks.broadcast(std::as_writable_bytes(std::span(&value, 1)), 0);
  return value;
}

/// The bytes of rank 0, equally many, on all.
void share_bytes(Communicator& ranks, std::span<std::byte> bytes);

/// The values of all ranks, joined in the order of ranks, on all: join(left, right) is associative to the bit.
template <class T, class JoinValues>
[[nodiscard]] T joined_values(Communicator& ranks, T value, const JoinValues& join) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto join_bytes = [&join](std::span<const std::byte> left, std::span<std::byte> right) {
    T one{};
    T other{};
    std::memcpy(&one, left.data(), sizeof one);  // as bytes: they may lie anywhere
    std::memcpy(&other, right.data(), sizeof other);
    const T both = join(one, other);
    std::memcpy(right.data(), &both, sizeof both);
  };
  ranks.wait(*ranks.combine(std::as_writable_bytes(std::span(&value, 1)), join_bytes));
  return value;
}
/// The least value of any rank, on all.
[[nodiscard]] std::int64_t least_of(Communicator& ranks, std::int64_t value);
/// The values of all ranks together, on all.
[[nodiscard]] std::int64_t total_of(Communicator& ranks, std::int64_t value);

/// The digests of neighbours in the order of ranks, `sums` being as many on each, become those of all ranks together,
/// on all. `sums` stay where they are until the transfer is done.
template <class T>
[[nodiscard]] std::unique_ptr<Communicator::Transfer> combine_sums(Communicator& ranks, std::span<TreeDigest<T>> sums);
/// The sums over the leaves of all ranks of such digests, on all; these stay this rank's.
template <class T>
[[nodiscard]] std::vector<T> sums_of(Communicator& ranks, std::vector<TreeDigest<T>> digests);

/// A message to or from a rank.
struct Parcel {
  int rank;
  std::span<std::byte> bytes;
};
/// Sends `out` and fills `in`, which have the lengths that come. The ranks that these name make the call as well.
void exchange(Communicator& ranks, std::span<const Parcel> out, std::span<const Parcel> in, int tag);

/// A rank's next bytes, which stay until the next call; none at the end.
using RowSource = std::function<std::span<const std::byte>()>;
using RowSink = std::function<void(std::span<const std::byte>)>;

/// What gather_in_order() passes at a time at most: a source may give more at once.
inline constexpr std::size_t gather_chunk = std::size_t{64} << 20;

/// Rank 0's sink gets the bytes of all ranks in the order of ranks; those of others are unused. Rank 0 holds one chunk
/// of another rank, and a rank sends the next when it is asked for. Where a source or the sink throws, that rank's call
/// throws so; the others, but for those that have given everything, end with false. All know after an agree(). `chunk`,
/// in bytes, is the same on all.
[[nodiscard]] bool gather_in_order(Communicator& ranks, const RowSource& rows, const RowSink& sink,
                                   std::size_t chunk = gather_chunk);
/// The same in memory: on rank 0 the bytes of all, on others and where a rank cannot go on nothing.
[[nodiscard]] std::vector<std::byte> gather(Communicator& ranks, std::span<const std::byte> own);

}  // namespace quoin
