#include <algorithm>
#include <array>

#include "problems/linear_system/scheme/segments.hpp"

namespace quoin {
namespace {

class CsrSegments final : public Segments {
 public:
  CsrSegments(const DevicePlace& place, const SparseMatrix& segments, const char* note)
      : Segments(
            csr_bytes(static_cast<double>(segments.rows), static_cast<double>(segments.entries()), place.precision)),
        at_(uploaded(place, segments.at)),
        column_(uploaded(place, std::vector<std::int32_t>(segments.column.begin(), segments.column.end()))),
        value_(uploaded(place, in_precision(segments.value, place.precision))),
        entries_(segments.entries()),
        columns_(segments.columns),
        kernel_(*place.executor, {"csr_segments", place.precision, {}}, Box::line(segments.rows), place.timer,
                std::string("csr_segments") + note, product_cost(segments, bytes(), place.precision)) {}

  void multiply(Queue& queue, const VectorPlace& x, const Argument& sums) override {
    kernel_.launch(queue, std::array{Argument::buffer(at_.memory()), Argument::buffer(column_.memory()),
                                     Argument::buffer(value_.memory()), x.list(), sums, Argument::integer(entries_),
                                     Argument::integer(columns_)});
  }

  [[nodiscard]] const char* format() const override { return "csr"; }

 private:
  Buffer<std::int64_t> at_;
  Buffer<std::int32_t> column_;
  Buffer<std::byte> value_;
  std::int64_t entries_, columns_;
  TimedKernel kernel_;
};

}  // namespace

std::unique_ptr<Segments> csr_segments(const DevicePlace& place, const SparseMatrix& segments, const char* note) {
  return std::make_unique<CsrSegments>(place, segments, note);
}

double csr_bytes(double segments, double entries, Precision precision) {
  return entries * static_cast<double>(element_size(precision) + sizeof(std::int32_t)) +
         (segments + 1.0) * sizeof(std::int64_t);
}

}  // namespace quoin
