#include "problems/linear_system/scheme/segments.hpp"

#include <algorithm>

namespace quoin {
namespace {

/// Lanes side by side take all that memory gives, but on a CPU columns that are stored one by one keep them from it.
bool suits_sell(const SparseMatrix& segments, const Executor& executor) {
  const SliceSample sample = sample_slices(segments);
  const bool lanes = executor.device().kind != DeviceKind::cpu;
  return sample.slots <= worthwhile_slots && (lanes || sample.aligned >= 0.5);
}

}  // namespace

std::unique_ptr<Segments> stored_segments(const DevicePlace& place, const SparseMatrix& segments,
                                          const Storage& storage, const char* note) {
  const bool sell =
      storage.format == Format::automatic ? suits_sell(segments, *place.executor) : storage.format == Format::sell;
  return sell ? sell_segments(place, segments, storage.sharing, note) : csr_segments(place, segments, note);
}

Cost product_cost(const SparseMatrix& segments, double bytes, Precision precision) {
  const auto elements = static_cast<double>(segments.rows + std::min(segments.columns, segments.entries()));
  return {bytes + elements * static_cast<double>(element_size(precision)),
          2.0 * static_cast<double>(segments.entries())};
}

}  // namespace quoin
