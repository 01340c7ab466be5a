#pragma once

// Sums over the whole grid from parts of it. The reduction tree (kernels/order.h, tree_sum) over n leaves is fixed by n
// alone: a part that owns the leaves [first, last) can add up the complete groups of 2^l leaves inside of it, aligned
// at multiples of 2^l, and no more. Those sums, at most 2 log2(n) of them, are its digest. Digests of neighbours join
// to the digest of both, associatively to the bit; that of [0, n) gives the sum.

#include <array>
#include <cstddef>
#include <cstdint>

namespace quoin {

/// T is float or double. Its bytes may be copied: so it travels between ranks of one program.
template <class T>
class TreeDigest {
 public:
  /// Of no leaves, at `first`.
  explicit TreeDigest(std::int64_t first = 0) : first_(first), last_(first) {}

  /// The next leaf.
  void add(T leaf) { push(leaf, 0); }
  /// The digest of the leaves that follow; ErrorKind::bug where it does not begin where this one ends. One without
  /// leaves, wherever it stands, changes nothing.
  void append(const TreeDigest& next);

  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// Over all leaves, which begin with 0 (else ErrorKind::bug): the bits of tree_sum.
  [[nodiscard]] T sum() const;

 private:
  void push(T group, int level);

  static constexpr std::size_t most_groups = 96;  // sizes rise to 2^47 leaves at most, and fall
  std::int64_t first_, last_;
  std::int64_t count_ = 0;
  std::array<T, most_groups> groups_{};  // in the order of their leaves
  std::array<std::uint8_t, most_groups> levels_{};
};

}  // namespace quoin
