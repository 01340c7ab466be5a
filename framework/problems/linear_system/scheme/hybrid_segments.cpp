#include <algorithm>

#include "problems/linear_system/scheme/segments.hpp"
#include "problems/linear_system/setup/entries.hpp"

namespace quoin {
namespace {

double bytes_of(const std::unique_ptr<Segments>& part) { return part == nullptr ? 0.0 : part->bytes(); }

/// The first entries of each in columns, then the rest of them, whose chains go on from those sums. Where most segments
/// are empty there are no columns, and where none is longer there is no rest.
class HybridSegments final : public Segments {
 public:
  HybridSegments(std::unique_ptr<Segments> columns, std::unique_ptr<Segments> rest)
      : Segments(bytes_of(columns) + bytes_of(rest)), columns_(std::move(columns)), rest_(std::move(rest)) {}

  void multiply(Queue& queue, const VectorPlace& x, const Argument& sums) override {
    if (columns_ != nullptr) columns_->multiply(queue, x, sums);
    if (rest_ != nullptr) rest_->multiply(queue, x, sums);
  }

  [[nodiscard]] const char* format() const override { return "hybrid"; }

 private:
  std::unique_ptr<Segments> columns_, rest_;
};

}  // namespace

std::unique_ptr<Segments> hybrid_segments(const DevicePlace& place, const SparseMatrix& segments, const char* note) {
  const std::int64_t steps = hybrid_steps(segments);
  const bool all = steps > 0 && steps == longest_segment(segments);
  return std::make_unique<HybridSegments>(steps > 0 ? ell_segments(place, segments, steps, note) : nullptr,
                                          all ? nullptr : coo_segments(place, segments, steps, note));
}

}  // namespace quoin
