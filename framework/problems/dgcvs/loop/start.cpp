#include "problems/dgcvs/loop/start.hpp"

#include "problems/checkpoint_values.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {

void require_mesh_of(CheckpointReader& reader, const Case& the_case, const LevelArrays& cells) {
  try {
    require_fingerprint(reader, "mesh", mesh_sha256(cells), "the other run has another mesh, or other periodic sides");
  } catch (const Error& error) {
    throw the_case.error_at("problem.initial.from", error.what());
  }
}

void start_from(TimeLoop& loop, CheckpointReader& reader, const Case& theirs) {
  const DgSetup& setup = loop.setup();
  const Case& the_case = setup.the_case();
  const DeviceLevel& cells = loop.levels().cells;
  require_mesh_of(reader, the_case, cells.arrays());
  const Precision precision = DgMethod(theirs).precision;
  std::vector<std::byte> raw(static_cast<std::size_t>(setup.unknowns() * cells.lanes().stride) *
                             element_size(precision));
  reader.get("cells", raw);
  const Solution kept(setup, EntityKind::cells, cells.lanes(), from_precision(raw, precision), 0, 0.0,
                      loop.state().pace.dt / 2);
  loop.plan(prospect_of(setup, [&](std::int64_t cell, Point point) {
    const State state = kept.sample(cell, point);
    if (const std::string objection = setup.law.objection(state); !objection.empty())
      throw the_case.error_at("problem.initial.from", objection + " at " + describe(point));
    return state;
  }));
  loop.start(from_precision(raw, precision));
}

}  // namespace quoin
