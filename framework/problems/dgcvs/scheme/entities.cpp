#include "problems/dgcvs/scheme/entities.hpp"

#include <algorithm>

#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

std::int64_t whole_groups(std::int64_t entities) { return (entities + entity_group - 1) / entity_group * entity_group; }

}  // namespace

EntityLanes::EntityLanes(const Entities& all, EntityOrder order)
    : entities(all.count()),
      inside(order == EntityOrder::boundary_last ? all.count() - all.boundary : 0),
      first_boundary(whole_groups(inside)),
      stride(first_boundary + whole_groups(entities - inside)) {
  // A kernel reads some two hundred rows of these arrays at the same lane. Were they an even number of groups apart, or
  // even a power of two, a cache would have to keep them all in a few of its sets.
  if (stride / entity_group % 2 == 1) return;
  stride += entity_group;
  if (inside == entities) first_boundary = stride;
}

std::int64_t EntityLanes::entity(std::int64_t lane) const {
  if (lane < first_boundary) return std::min(lane, inside - 1);
  return std::min(inside + lane - first_boundary, entities - 1);
}

}  // namespace quoin
