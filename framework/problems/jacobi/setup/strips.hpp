#pragma once

#include <cstdint>
#include <optional>

namespace quoin {

/// The rows [first, last) of a grid.
struct Strip {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] std::int64_t rows() const { return last - first; }
};

/// A grid cut into a strip for each rank, whole rows of the reduction tree's blocks, as equal as those allow. Where
/// there are fewer rows of blocks than ranks, some ranks have none. Only the uppermost strip can be thinner than a row
/// of blocks.
class Strips {
 public:
  Strips(std::int64_t rows, int ranks);

  [[nodiscard]] Strip operator[](int rank) const;
  /// The rank whose rows lie next to those of `rank`; empty where a side does, and for one without rows.
  [[nodiscard]] std::optional<int> below(int rank) const { return beside(rank, -1); }
  [[nodiscard]] std::optional<int> above(int rank) const { return beside(rank, 1); }

 private:
  [[nodiscard]] std::optional<int> beside(int rank, int step) const;

  std::int64_t rows_;
  int ranks_;
};

}  // namespace quoin
