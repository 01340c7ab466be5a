#pragma once

// Sums over the whole grid from parts of it. The reduction tree (kernels/order.h, tree_sum) over n leaves is fixed by n
// alone: a part that owns the leaves [first, last) can add up the complete groups of 2^l leaves inside of it, aligned
// at multiples of 2^l, and no more. Those sums, at most 2 log2(n) of them, are its digest. Digests of neighbours join
// to the digest of both, associatively to the bit; that of [0, n) gives the sum. It may travel as its bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quoin {

/// The levels of the groups of 2^level leaves, from the first on, that the digest of the leaves [first, last) has.
[[nodiscard]] std::vector<int> levels_of_groups(std::int64_t first, std::int64_t last);

/// T is float or double.
template <class T>
class TreeDigest {
 public:
  /// As many leaves as the tree can have.
  static constexpr std::int64_t most_leaves = std::int64_t{1} << 47;

  /// Of no leaves, at `first`.
  explicit TreeDigest(std::int64_t first = 0) : first_(first), last_(first) {}

  /// The next leaf. ErrorKind::bug where it is not one of 0 .. most_leaves.
  void add(T leaf) { add_group(leaf, 0); }
  /// The next leaves: far faster than one by one.
  void add(std::span<const T> leaves) { add_groups(leaves, 0); }
  /// The sum, by the tree, of the next 2^level leaves. ErrorKind::bug where they do not begin at a multiple of that.
  void add_group(T sum, int level);
  /// The sums of the next groups, of 2^level leaves each.
  void add_groups(std::span<const T> sums, int level);
  /// The digest of the leaves that follow; ErrorKind::bug where it does not begin where this one ends. One without
  /// leaves, wherever it stands, changes nothing, and becomes the other where it is this one.
  void append(const TreeDigest& next);

  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// Over all leaves, which begin with 0, else ErrorKind::bug: the bits of tree_sum.
  [[nodiscard]] T sum() const;

 private:
  /// Sizes rise, then fall, each of 2^0 .. 2^45 at most once: a side with 2^46 leaves is one group.
  static constexpr std::size_t most_groups = 92;
  static_assert(most_leaves == std::int64_t{2} << most_groups / 2);

  std::int64_t first_, last_;
  std::array<T, most_groups> groups_{};  ///< from first_ on; zeros behind them, so that equal digests have equal bytes
};

}  // namespace quoin
