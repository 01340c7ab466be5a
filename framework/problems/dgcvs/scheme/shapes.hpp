#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/entities.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"
#include "problems/dgcvs/setup/setup.hpp"

namespace quoin {

/// All that depends on the shape of an entity alone.
struct EntityShape {
  std::vector<double> geometry, region, factor, moments;
};

/// The shapes of the entities of one kind, which have `slots` sub-quads at most.
class EntityShapes {
 public:
  /// `whole`: with regions, which are quadrilaterals.
  EntityShapes(const DgSetup& setup, EntityKind kind, std::int64_t slots, bool whole);

  /// Those congruent with the first inner entity get its shape to the bit: a uniform mesh is then uniform.
  [[nodiscard]] std::vector<EntityShape> of(std::span<const std::int64_t> entities) const;
  [[nodiscard]] EntityShape of(std::int64_t entity) const { return of(std::span(&entity, 1)).front(); }

 private:
  /// All but the geometry, which they have.
  void fill(std::span<EntityShape* const> shapes) const;

  const DgSetup& setup_;
  EntityKind kind_;
  std::int64_t slots_;
  bool whole_;
  int degree_;
  std::vector<Member> members_;
  GaussRule rule_;
  EntityShape first_;
};

}  // namespace quoin
