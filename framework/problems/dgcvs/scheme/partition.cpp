#include "problems/dgcvs/scheme/partition.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace quoin {
namespace {

/// The rank that has a place of so many, where each has about as many.
int rank_of_place(std::int64_t place, std::int64_t places, int ranks) {
  return static_cast<int>(place * ranks / places);
}

}  // namespace

Partition::Partition(const DgSetup& setup, int ranks) : staggered_(setup.staggered), ranks_(ranks) {
  const Entities& cells = staggered_.cells;
  const Entities& vertices = staggered_.vertices;
  const EntityPart all_cells = all_of(cells, setup.method.entities);
  const EntityPart all_vertices = all_of(vertices, setup.method.entities);
  if (ranks == 1) {
    const auto whole = [](const EntityPart& all) {
      return Cuts{{all.inside.first, all.inside.last}, {all.boundary.first, all.boundary.last}};
    };
    cuts_ = {whole(all_cells), whole(all_vertices)};
    return;
  }
  const std::vector<std::int64_t> places = places_in_space(setup.mesh, cells);
  const auto rank_of_cell = [&](std::int64_t cell) {
    return rank_of_place(places[static_cast<std::size_t>(cell)], cells.count(), ranks_);
  };
  const auto rank_of_vertex = [&](std::int64_t vertex) {
    int rank = ranks_;
    for (const std::int64_t q : vertices.quads_of(vertex))
      rank = std::min(rank, rank_of_cell(staggered_.quads[static_cast<std::size_t>(q)].cell));
    return rank;
  };
  cuts_ = {cut(all_cells, rank_of_cell), cut(all_vertices, rank_of_vertex)};
}

template <class RankOf>
Partition::Cuts Partition::cut(const EntityPart& all, const RankOf& rank_of) const {
  const auto cut_range = [&](const EntityRange& range) {
    std::vector<std::int64_t> first(static_cast<std::size_t>(ranks_) + 1);
    first.front() = range.first;
    for (std::int64_t e = range.first; e < range.last; ++e) ++first[static_cast<std::size_t>(rank_of(e)) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
  };
  return {cut_range(all.inside), cut_range(all.boundary)};
}

int Partition::owner(EntityKind kind, std::int64_t entity) const {
  const Cuts& all = cuts(kind);
  const std::vector<std::int64_t>& first = entity < all.inside.back() ? all.inside : all.boundary;
  return static_cast<int>(std::ranges::upper_bound(first, entity) - first.begin()) - 1;
}

EntityPart Partition::own(EntityKind kind, int rank) const {
  const auto range = [&](const std::vector<std::int64_t>& first) {
    return EntityRange{first[static_cast<std::size_t>(rank)], first[static_cast<std::size_t>(rank) + 1]};
  };
  return {range(cuts(kind).inside), range(cuts(kind).boundary)};
}

EntityPart Partition::part(EntityKind kind, int rank) const {
  EntityPart part = own(kind, rank);
  if (ranks_ == 1) return part;  // without a look at every sub-quad
  std::map<int, EntityPart::Peer> peers;
  /// The pairs of an own entity of that kind and one of another rank's that share a sub-quad.
  const auto each_shared = [&](EntityKind mine, const auto& found) {
    const EntityPart having = own(mine, rank);
    for (std::int64_t k = 0; k < having.count(); ++k) {
      for (const std::int64_t q : entities_of(staggered_, mine).quads_of(having.entity(k))) {
        const std::int64_t theirs = owner_of(staggered_.quads[static_cast<std::size_t>(q)], other(mine));
        const int peer = owner(other(mine), theirs);
        if (peer != rank)
          found(peers.try_emplace(peer, EntityPart::Peer{peer, {}, {}}).first->second, having.entity(k), theirs);
      }
    }
  };
  each_shared(kind, [](EntityPart::Peer& peer, std::int64_t own, std::int64_t) { peer.out.push_back(own); });
  each_shared(other(kind),
              [](EntityPart::Peer& peer, std::int64_t, std::int64_t theirs) { peer.in.push_back(theirs); });
  for (auto& [unused, peer] : peers) {
    for (std::vector<std::int64_t>* list : {&peer.out, &peer.in}) {
      std::ranges::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    part.peers.push_back(std::move(peer));
  }
  return part;
}

}  // namespace quoin
