#include "problems/dgcvs/scheme/entities.hpp"

#include <algorithm>
#include <utility>

#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

std::int64_t whole_groups(std::int64_t entities) { return (entities + entity_group - 1) / entity_group * entity_group; }

std::int64_t ghosts_of(const EntityPart& part) {
  std::int64_t ghosts = 0;
  for (const EntityPart::Peer& peer : part.peers) ghosts += static_cast<std::int64_t>(peer.in.size());
  return ghosts;
}

}  // namespace

EntityPart all_of(const Entities& entities, EntityOrder order) {
  const std::int64_t inside = inner_entities(entities, order);
  return {{0, inside}, {inside, entities.count()}};
}

EntityLanes::EntityLanes(EntityPart having)
    : part(std::move(having)),
      first_boundary(whole_groups(part.inside.count())),
      first_ghost(first_boundary + whole_groups(part.boundary.count())),
      stride(first_ghost + whole_groups(ghosts_of(part))) {
  // A kernel reads some two hundred rows of these arrays at the same lane. Were they an even number of groups apart, or
  // even a power of two, a cache would have to keep them all in a few of its sets.
  if (stride / entity_group % 2 == 1) return;
  const bool ghosts = stride > first_ghost;
  stride += entity_group;
  if (ghosts) return;
  first_ghost = stride;
  if (!has_boundary()) first_boundary = stride;
}

std::int64_t EntityLanes::of(std::int64_t entity) const {
  if (part.inside.has(entity)) return entity - part.inside.first;
  if (part.boundary.has(entity)) return first_boundary + entity - part.boundary.first;
  std::int64_t first = first_ghost;
  for (const EntityPart::Peer& peer : part.peers) {
    const auto found = std::ranges::lower_bound(peer.in, entity);
    if (found != peer.in.end() && *found == entity) return first + (found - peer.in.begin());
    first += static_cast<std::int64_t>(peer.in.size());
  }
  throw Error(ErrorKind::bug, "an entity that this rank neither has nor reads");
}

std::int64_t EntityLanes::entity(std::int64_t lane) const {
  const auto within = [](const EntityRange& range, std::int64_t k) {
    return range.count() == 0 ? 0 : range.first + std::min(k, range.count() - 1);
  };
  if (lane < first_boundary) return within(part.inside, lane);
  if (lane < first_ghost) return within(part.boundary, lane - first_boundary);
  std::int64_t k = lane - first_ghost;
  for (const EntityPart::Peer& peer : part.peers) {
    const auto ghosts = static_cast<std::int64_t>(peer.in.size());
    if (k < ghosts) return peer.in[static_cast<std::size_t>(k)];
    k -= ghosts;
  }
  return 0;
}

}  // namespace quoin
