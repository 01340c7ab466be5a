#include "problems/linear_system/scheme/segments.hpp"

#include <algorithm>

#include "problems/linear_system/setup/entries.hpp"

namespace quoin {
namespace {

/// Lanes side by side take all that memory gives, but on a CPU columns that are stored one by one keep them from it:
/// there slices of such are worth few gaps.
bool suits_sell(const SparseMatrix& segments, const Executor& executor) {
  constexpr double few_gaps = 1.15;
  const SliceSample sample = sample_slices(segments);
  const bool side_by_side = executor.device().kind != DeviceKind::cpu || sample.aligned >= 0.5;
  return sample.slots <= (side_by_side ? worthwhile_slots : few_gaps);
}

}  // namespace

std::unique_ptr<Segments> stored_segments(const DevicePlace& place, const SparseMatrix& segments,
                                          const Storage& storage, const char* note) {
  Format format = storage.format;
  if (format == Format::automatic) format = suits_sell(segments, *place.executor) ? Format::sell : Format::csr;
  switch (format) {
    case Format::sell:
      return sell_segments(place, segments, storage.sharing, note);
    case Format::ell:
      return ell_segments(place, segments, longest_segment(segments), note);
    case Format::coo:
      return coo_segments(place, segments, 0, note);
    case Format::hybrid:
      return hybrid_segments(place, segments, note);
    default:
      return csr_segments(place, segments, note);
  }
}

std::vector<const char*> segment_kernels(Format format) {
  switch (format) {
    case Format::csr:
      return {"csr_segments"};
    case Format::sell:
      return {"sell_segments", "sell_product"};
    case Format::ell:
      return {"ell_segments"};
    case Format::coo:
      return {"coo_segments"};
    case Format::hybrid:
      return {"ell_segments", "coo_segments"};
    default:
      return {"csr_segments", "sell_segments", "sell_product"};
  }
}

Cost product_cost(std::int64_t sums, std::int64_t columns, std::int64_t entries, double bytes, Precision precision) {
  const auto elements = static_cast<double>(sums + std::min(columns, entries));
  return {bytes + elements * static_cast<double>(element_size(precision)), 2.0 * static_cast<double>(entries)};
}

Cost product_cost(const SparseMatrix& segments, double bytes, Precision precision) {
  return product_cost(segments.rows, segments.columns, segments.entries(), bytes, precision);
}

}  // namespace quoin
