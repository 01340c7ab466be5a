#include <array>

#include "problems/linear_system/scheme/segments.hpp"
#include "problems/linear_system/setup/entries.hpp"

namespace quoin {
namespace {

class EllSegments final : public Segments {
 public:
  EllSegments(const DevicePlace& place, const EntryColumns& columns, const SparseMatrix& segments, const char* note)
      : Segments(static_cast<double>(columns.value.size() * (element_size(place.precision) + sizeof(std::int32_t)))),
        column_(uploaded(place, columns.column)),
        value_(uploaded(place, in_precision(columns.value, place.precision))),
        pitch_(columns.pitch),
        steps_(columns.steps),
        columns_(segments.columns),
        kernel_(*place.executor, {"ell_segments", place.precision, {}}, Box::line(segments.rows), place.timer,
                std::string("ell_segments") + note,
                product_cost(segments.rows, segments.columns, columns.entries, bytes(), place.precision)) {}

  void multiply(Queue& queue, const VectorPlace& x, const Argument& sums) override {
    kernel_.launch(
        queue, std::array{Argument::buffer(column_.memory(), 0, pitch_), Argument::buffer(value_.memory(), 0, pitch_),
                          x.list(), sums, Argument::integer(steps_), Argument::integer(columns_)});
  }

  [[nodiscard]] const char* format() const override { return "ell"; }

 private:
  Buffer<std::int32_t> column_;
  Buffer<std::byte> value_;
  std::int64_t pitch_, steps_, columns_;
  TimedKernel kernel_;
};

}  // namespace

std::unique_ptr<Segments> ell_segments(const DevicePlace& place, const SparseMatrix& segments, std::int64_t steps,
                                       const char* note) {
  return std::make_unique<EllSegments>(place, entry_columns(segments, steps), segments, note);
}

}  // namespace quoin
