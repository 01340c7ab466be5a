#include "problems/dgcvs/output/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "problems/checkpoint_values.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// From the time that is reached to a final time that is another than the run had before.
Pace pace_to_go_on(const DgSetup& setup, const DgState& state) {
  const double end = setup.method.final_time;
  const double rest = end - state.time();
  const double rounding = 1e-12 * end;
  if (rest < -rounding)
    throw setup.the_case().error_at("method.final_time",
                                    fmt::format("the run has reached t = {:.6g} already", state.time()));
  if (rest <= rounding) return {state.pace.from, state.steps, state.pace.start, state.pace.dt};
  return Pace::within(state.steps, state.time(), end, setup.longest_step(std::max(state.speed, state.prospect.speed)));
}

constexpr std::array kinds{EntityKind::cells, EntityKind::vertices};

/// Of all coefficients, one after another.
std::size_t bytes_of(const TimeLoop& loop, EntityKind kind) {
  return static_cast<std::size_t>(loop.setup().values()) * loop.row_bytes(kind);
}

}  // namespace

void save_run(const TimeLoop& loop, CheckpointWriter& writer) {
  const DgState& state = loop.state();
  put_fingerprint(writer, "mesh", loop.fingerprint());
  for (const EntityKind kind : kinds)
    writer.put_parts(name_of(kind), bytes_of(loop, kind),
                     [&loop, kind](RankFiles& files) { return loop.write(kind, files); });
  put_value(writer, "observed", std::array{state.first_mass.value_or(0.0), state.mass, state.norm, state.drift});
  put_value(writer, "steps", state.steps);
  put_value(writer, "prospect", state.prospect);
  put_value(writer, "pace", state.pace);
  put_value(writer, "speed", state.speed);
  put_value(writer, "final time", loop.setup().method.final_time);
}

void restore_run(TimeLoop& loop, CheckpointReader& reader) {
  const DgSetup& setup = loop.setup();
  require_fingerprint(reader, "mesh", loop.fingerprint(),
                      "the checkpoint is of another mesh than the case's; was the mesh file changed?");
  DgState state;
  double final_time = 0.0;
  get_value(reader, "steps", state.steps);
  get_value(reader, "prospect", state.prospect);
  get_value(reader, "pace", state.pace);
  get_value(reader, "speed", state.speed);
  get_value(reader, "final time", final_time);
  const Pace kept = state.pace;
  if (!(kept.from >= 0 && kept.from <= state.steps && state.steps <= kept.last && kept.dt > 0.0 && state.speed >= 0.0 &&
        std::abs(kept.time(kept.last) - final_time) <= 1e-9 * final_time))
    throw Error(ErrorKind::checkpoint, "the checkpoint's time steps are not those of a run to its final time");
  state.before = kept.time(state.steps - 1);
  if (final_time != setup.method.final_time) state.pace = pace_to_go_on(setup, state);
  if (state.steps > loop.schedule().last_step(state.pace))
    throw setup.the_case().error_at("method.max_steps", fmt::format("the run has done {} steps already", state.steps));
  std::array<double, 4> observed{};
  get_value(reader, "observed", observed);
  state.first_mass = observed[0];
  state.mass = observed[1];
  state.norm = observed[2];
  state.drift = observed[3];
  loop.resume(state);
  for (const EntityKind kind : kinds) {
    for (std::int64_t n = 0; n < setup.values(); ++n) {
      std::vector<std::byte> row(loop.row_bytes(kind));
      reader.get_part(name_of(kind), bytes_of(loop, kind), static_cast<std::size_t>(n) * row.size(), row);
      loop.take(kind, n, std::move(row), state.pace.dt / kept.dt);
    }
  }
}

}  // namespace quoin
