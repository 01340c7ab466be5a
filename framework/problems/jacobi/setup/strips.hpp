#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace quoin {

/// The rows [first, last) of a grid.
struct Strip {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] std::int64_t rows() const { return last - first; }
};

/// A grid cut into a strip for each rank, of which some may have no rows.
class Strips {
 public:
  /// Whole rows of the reduction tree's blocks, as equal as those allow. Where there are fewer rows of blocks than
  /// ranks, some ranks have none. Only the uppermost strip can be thinner than a row of blocks.
  Strips(std::int64_t rows, int ranks);

  /// Of a coarser grid: each of its rows is where the finer row first[k] is, ascending, which is the first that it is
  /// made of.
  [[nodiscard]] Strips coarser(const std::vector<std::int64_t>& first) const;

  [[nodiscard]] int ranks() const { return static_cast<int>(first_.size()) - 1; }
  [[nodiscard]] std::int64_t rows() const { return first_.back(); }
  [[nodiscard]] Strip operator[](int rank) const;
  /// The rank whose rows lie next to those of `rank`; empty where a side does, and for one without rows.
  [[nodiscard]] std::optional<int> below(int rank) const { return beside(rank, -1); }
  [[nodiscard]] std::optional<int> above(int rank) const { return beside(rank, 1); }
  /// Whether each rank with rows of `finer` has rows here, and all but the uppermost so many at least.
  [[nodiscard]] bool hold(const Strips& finer, std::int64_t least) const;

 private:
  Strips() = default;
  [[nodiscard]] std::optional<int> beside(int rank, int step) const;

  std::vector<std::int64_t> first_;  // of each rank, and the end
};

}  // namespace quoin
