#include "problems/jacobi/output/checkpoint.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "base/checksum.hpp"
#include "problems/checkpoint_values.hpp"
#include "problems/jacobi/loop/start.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

/// Of what the case's formulas come to at the nodes: another mathematical library may round them differently.
std::string checksums_of_formulas(const IterationLoop& loop) {
  const Sides& sides = loop.sides();
  Checksum sum;
  for (const std::vector<double>* side :
       {&sides.left, &sides.right, &sides.bottom, &sides.top, &sides.back, &sides.front})
    sum.add(std::as_bytes(std::span(*side)));
  if (loop.setup().beyond_poisson) {
    const Medium& medium = loop.setup().medium();
    for (const std::vector<double>* values :
         {&medium.balances.kx, &medium.balances.ky, &medium.balances.kz, &medium.balances.sink, &medium.f})
      sum.add(std::as_bytes(std::span(*values)));
  }
  return loop.setup().source.checksum() + sum.hex();
}

}  // namespace

void save_run(const IterationLoop& loop, CheckpointWriter& writer) {
  const JacobiState state = loop.state();
  const Grid& grid = loop.setup().grid;
  put_fingerprint(writer, "formulas", checksums_of_formulas(loop));
  writer.put_parts("u", field_bytes_of(grid, loop.setup().method.precision),
                   [&loop](RankFiles& files) { return loop.write_rows(files); });
  put_value(writer, "iterations", state.iterations);
  put_value(writer, "limit", loop.setup().method.max_iterations);
  put_value(writer, "residual", state.norm);
  put_value(writer, "reference", state.reference);
  put_value(writer, "convergence", state.convergence);
}

void restore_run(IterationLoop& loop, CheckpointReader& reader) {
  const JacobiMethod& method = loop.setup().method;
  require_fingerprint(reader, "formulas", checksums_of_formulas(loop),
                      "the formulas of the case have other values here than where the checkpoint was written, or an "
                      "earlier version of Quoin wrote it; the run would not go on for certain as it began: go on "
                      "there, or start again with `quoin run --force`");
  const Field::Fill field = kept_field(reader, loop.setup().grid, method.precision);
  JacobiState state;
  get_value(reader, "iterations", state.iterations);
  std::int64_t limit = 0;
  get_value(reader, "limit", limit);
  if (state.iterations < 0 || state.iterations > limit)
    throw Error(ErrorKind::checkpoint,
                fmt::format("the checkpoint is of iteration {}, of {} at most", state.iterations, limit));
  if (state.iterations > method.max_iterations)
    throw loop.setup().the_case().error_at(
        "method.max_iterations",
        fmt::format("the run has done {} iterations already, more than max_iterations, which is {}", state.iterations,
                    method.max_iterations));
  get_value(reader, "residual", state.norm);
  get_value(reader, "convergence", state.convergence);
  get_value(reader, "reference", state.reference);
  loop.resume(state, field);
}

}  // namespace quoin
