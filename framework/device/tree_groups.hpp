#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "quoin/buffer.hpp"
#include "quoin/executor.hpp"
#include "quoin/tree_digest.hpp"

namespace quoin {

/// Digests of lists on a device, of which it has the same stretch each. Where there are many leaves it adds up pieces
/// of them itself, so that no more than these come to the host: equal ones by one launch, where such fit the stretch,
/// else the groups of a digest by one each.
class TreeGroups {
 public:
  /// Of the leaves [first, first + count) of each of `lists` lists at most.
  TreeGroups(const std::shared_ptr<Executor>& executor, Precision precision, std::int64_t first, std::int64_t count,
             std::int64_t lists);

  /// Of `lists` lists that lie one behind the other in memory, from byte `offset` on. T is the precision's.
  template <class T>
  [[nodiscard]] std::vector<TreeDigest<T>> digests(Queue& queue, Memory& leaves, std::int64_t lists,
                                                   std::size_t offset = 0);

 private:
  /// What a launch adds up: of each list so many pieces, one behind the other.
  struct Pieces {
    std::int64_t begin;  ///< of their leaves, in the stretch
    std::int64_t count;
    int level;  ///< each has 2^level
  };
  [[nodiscard]] std::vector<Pieces> pieces_of(std::int64_t lists) const;
  template <class T>
  [[nodiscard]] std::vector<TreeDigest<T>> of_leaves(Queue& queue, const Memory& leaves, std::int64_t lists,
                                                     std::size_t offset) const;

  std::int64_t first_, count_;
  std::vector<Pieces> pieces_;  ///< empty: the host adds up
  std::unique_ptr<Kernel> sum_;
  Buffer<std::byte> sums_;  ///< of each piece, list by list
};

}  // namespace quoin
