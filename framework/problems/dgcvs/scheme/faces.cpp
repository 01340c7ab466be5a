#include "problems/dgcvs/scheme/faces.hpp"

namespace quoin {

std::vector<EntityFace> faces_of(const Staggered& staggered, EntityKind kind, std::int64_t entity) {
  std::vector<EntityFace> faces;
  for (const std::int64_t q : entities_of(staggered, kind).quads_of(entity)) {
    const SubQuad& quad = staggered.quads[static_cast<std::size_t>(q)];
    if (quad.side01 >= 0) faces.push_back({{quad.corners[0], quad.corners[1], quad.side01}, q});
    if (quad.side30 >= 0) faces.push_back({{quad.corners[3], quad.corners[0], quad.side30}, q});
  }
  return faces;
}

std::int64_t first_inner(const Staggered& staggered, EntityKind kind) {
  const std::int64_t count = entities_of(staggered, kind).count();
  for (std::int64_t entity = 0; entity < count; ++entity)
    if (faces_of(staggered, kind, entity).empty()) return entity;
  return 0;
}

std::array<double, dgcvs_face> describe_face(const DgSetup& setup, EntityKind kind, const EntityFace& face,
                                             double length) {
  const SubQuad& quad = setup.staggered.quads[static_cast<std::size_t>(face.quad)];
  const auto corners = seen_from(quad, kind);
  const auto scaled = [&](Point p) { return 1 / length * (p - corners[0]); };
  const auto [from, to, old] = std::array{scaled(face.half.from), scaled(face.half.to), scaled(corners[2])};
  const double old_length =
      entities_of(setup.staggered, other(kind)).length[static_cast<std::size_t>(owner_of(quad, other(kind)))];
  return {from.x,
          from.y,
          to.x,
          to.y,
          old.x,
          old.y,
          length / old_length,
          static_cast<double>(setup.sides[static_cast<std::size_t>(face.half.side)].kind)};
}

}  // namespace quoin
