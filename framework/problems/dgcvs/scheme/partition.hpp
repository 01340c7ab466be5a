#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "problems/dgcvs/scheme/entities.hpp"
#include "problems/dgcvs/setup/setup.hpp"

namespace quoin {

/// The entities of a mesh shared out among ranks: cells that follow each other in space, equally many for each, and
/// about the vertices whose first cells these are. What a rank has inside and what it has on the boundary are two
/// ranges of numbers. Where there are fewer entities than ranks, some ranks have none.
class Partition {
 public:
  Partition(const DgSetup& setup, int ranks);

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int owner(EntityKind kind, std::int64_t entity) const;
  /// The own entities, without peers.
  [[nodiscard]] EntityPart own(EntityKind kind, int rank) const;
  [[nodiscard]] EntityPart part(EntityKind kind, int rank) const;

 private:
  /// The first entity of each rank, and the end.
  struct Cuts {
    std::vector<std::int64_t> inside, boundary;
  };
  [[nodiscard]] const Cuts& cuts(EntityKind kind) const { return cuts_[kind == EntityKind::cells ? 0 : 1]; }
  /// Where entities of which that many are inside are cut, rank_of(entity) being about who is to have each.
  template <class RankOf>
  [[nodiscard]] Cuts cut(const EntityPart& all, const RankOf& rank_of) const;

  const Staggered& staggered_;
  int ranks_;
  std::array<Cuts, 2> cuts_;
};

}  // namespace quoin
