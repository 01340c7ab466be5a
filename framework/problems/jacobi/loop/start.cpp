#include "problems/jacobi/loop/start.hpp"

#include <algorithm>

#include "quoin/precision.hpp"

namespace quoin {

void start_from(IterationLoop& loop, CheckpointReader& reader, const Case& theirs) {
  const Precision precision = JacobiMethod(theirs).precision;
  const std::vector<std::byte> values = kept_field(reader, loop.setup().grid, precision);
  loop.start(fill_of(values, precision));
}

std::vector<std::byte> kept_field(CheckpointReader& reader, const Grid& grid, Precision precision) {
  std::vector<std::byte> values(static_cast<std::size_t>(grid.nx * grid.ny) * element_size(precision));
  reader.get("u", values);
  return values;
}

}  // namespace quoin
