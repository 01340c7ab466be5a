#include <algorithm>
#include <array>

#include "problems/linear_system/scheme/segments.hpp"

namespace quoin {
namespace {

/// Bytes of the slices on the device; what several share is there once.
double sell_bytes(const Slices& slices, Precision precision) {
  return static_cast<double>(slices.count()) * 24.0 + static_cast<double>(slices.pattern.size()) * 4.0 +
         static_cast<double>(slices.value.size() * element_size(precision));
}

class SellSegments final : public Segments {
 public:
  SellSegments(const DevicePlace& place, const Slices& slices, const SparseMatrix& segments, const char* note)
      : Segments(sell_bytes(slices, place.precision)),
        value_at_(uploaded(place, slices.value_at)),
        pattern_at_(uploaded(place, slices.pattern_at)),
        steps_(uploaded(place, slices.steps)),
        kind_(uploaded(place, slices.kind)),
        pattern_(uploaded(place, slices.pattern)),
        value_(uploaded(place, in_precision(slices.value, place.precision))),
        patterns_(static_cast<std::int64_t>(slices.pattern.size())),
        values_(static_cast<std::int64_t>(slices.value.size())),
        columns_(segments.columns),
        shared_(static_cast<double>(slices.shared) / static_cast<double>(std::max<std::int64_t>(1, slices.count()))),
        with_sums_(place.executor->device().kind == DeviceKind::cpu),
        rows_(static_cast<double>(segments.rows)),
        row_bytes_(static_cast<double>(element_size(place.precision))),
        cost_(product_cost(segments, bytes(), place.precision)),
        kernel_(*place.executor, {"sell_segments", place.precision, {}}, Box::plane(slice_lanes, slices.count()),
                place.timer, std::string("sell_segments") + note, cost_),
        product_(*place.executor, {"sell_product", place.precision, {}},
                 Box::plane(block_columns, slice_lanes / block_columns * slices.count()), place.timer,
                 std::string("sell_product") + note) {}

  void multiply(Queue& queue, const VectorPlace& x, const Argument& sums) override {
    Argument plane = sums;
    plane.pitch = slice_lanes;
    kernel_.launch(queue,
                   std::array{Argument::buffer(value_at_.memory()), Argument::buffer(pattern_at_.memory()),
                              Argument::buffer(steps_.memory()), Argument::buffer(kind_.memory()),
                              Argument::buffer(pattern_.memory()), Argument::buffer(value_.memory()), x.list(), plane,
                              Argument::integer(patterns_), Argument::integer(values_), Argument::integer(columns_)});
  }

  bool multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y, const VectorPlace& v,
                const Argument& partials, const Argument& control) override {
    if (!with_sums_) return false;
    const double another = v.memory == x.memory && v.offset == x.offset ? 0.0 : rows_ * row_bytes_;
    product_.launch(queue,
                    std::array{Argument::buffer(value_at_.memory()), Argument::buffer(pattern_at_.memory()),
                               Argument::buffer(steps_.memory()), Argument::buffer(kind_.memory()),
                               Argument::buffer(pattern_.memory()), Argument::buffer(value_.memory()), x.list(),
                               v.plane(), y.plane(), partials, Argument::integer(patterns_), Argument::integer(values_),
                               Argument::integer(columns_), control},
                    {cost_.bytes + another, cost_.flops + 2.0 * rows_});
    return true;
  }

  [[nodiscard]] const char* format() const override { return "sell"; }
  [[nodiscard]] double shared() const override { return shared_; }

 private:
  Buffer<std::int64_t> value_at_, pattern_at_;
  Buffer<std::int32_t> steps_, kind_, pattern_;
  Buffer<std::byte> value_;
  std::int64_t patterns_, values_, columns_;
  double shared_;
  bool with_sums_;           // on a GPU few lanes sum a block, too few for products
  double rows_, row_bytes_;  // of a vector
  Cost cost_;
  TimedKernel kernel_, product_;
};

}  // namespace

std::unique_ptr<Segments> sell_segments(const DevicePlace& place, const SparseMatrix& segments, Sharing sharing,
                                        const char* note) {
  return std::make_unique<SellSegments>(place, slices_of(segments, sharing), segments, note);
}

}  // namespace quoin
