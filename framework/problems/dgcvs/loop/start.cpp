#include "problems/dgcvs/loop/start.hpp"

#include "problems/checkpoint_values.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {

void require_mesh_of(CheckpointReader& reader, const Case& the_case, const std::string& fingerprint) {
  try {
    require_fingerprint(reader, "mesh", fingerprint, "the other run has another mesh, or other periodic sides");
  } catch (const Error& error) {
    throw the_case.error_at("problem.initial.from", error.what());
  }
}

void start_from(TimeLoop& loop, CheckpointReader& reader, const Case& theirs) {
  const DgSetup& setup = loop.setup();
  require_mesh_of(reader, setup.the_case(), loop.fingerprint());
  const Precision precision = DgMethod(theirs).precision;
  std::vector<std::byte> raw(static_cast<std::size_t>(setup.values() * loop.lanes(EntityKind::cells).stride) *
                             element_size(precision));
  reader.get("cells", raw);
  loop.start_from(from_precision(raw, precision));
}

}  // namespace quoin
