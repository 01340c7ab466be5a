#include "problems/dgcvs/output/figures.hpp"

namespace quoin {

std::vector<Figure> figures_of(const TimeLoop& loop) {
  const DgState& state = loop.state();
  const std::int64_t cells = loop.setup().staggered.cells.count();
  const std::int64_t vertices = loop.setup().staggered.vertices.count();
  const double updates = static_cast<double>(cells + vertices) * static_cast<double>(state.steps);
  const double seconds = loop.update_seconds();
  return {{"steps", state.steps},
          {"time_step", state.pace.dt},
          {"mass.start", state.first_mass.value_or(0.0)},
          {"mass.end", state.mass},
          {"mass.drift", state.drift},
          {"entities.cells", cells},
          {"entities.vertices", vertices},
          {"entity_updates_per_second", seconds > 0.0 ? updates / seconds : 0.0}};
}

}  // namespace quoin
