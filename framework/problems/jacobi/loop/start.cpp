#include "problems/jacobi/loop/start.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "quoin/precision.hpp"

namespace quoin {

void start_from(IterationLoop& loop, CheckpointReader& reader, const Case& theirs) {
  loop.start(kept_field(reader, loop.setup().grid, JacobiMethod(theirs).precision));
}

std::size_t field_bytes_of(const Grid& grid, Precision precision) {
  return static_cast<std::size_t>(grid.nx * grid.rows()) * element_size(precision);
}

Field::Fill kept_field(CheckpointReader& reader, const Grid& grid, Precision precision) {
  const std::size_t total = field_bytes_of(grid, precision);
  const auto raw = std::make_shared<std::vector<std::byte>>(total / static_cast<std::size_t>(grid.rows()));
  reader.get_part("u", total, 0, std::span(*raw).first(0));
  return [&reader, total, precision, raw](std::int64_t j, std::span<double> row) {
    reader.get_part("u", total, static_cast<std::size_t>(j) * raw->size(), *raw);
    std::ranges::copy(from_precision(*raw, precision), row.begin());
  };
}

}  // namespace quoin
