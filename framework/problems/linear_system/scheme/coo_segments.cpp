#include <algorithm>
#include <array>

#include "problems/linear_system/scheme/segments.hpp"
#include "problems/linear_system/setup/entries.hpp"

namespace quoin {
namespace {

double coo_bytes(const EntryRuns& runs, Precision precision) {
  return static_cast<double>(runs.value.size() * (element_size(precision) + 2 * sizeof(std::int32_t)) +
                             runs.at.size() * sizeof(std::int64_t));
}

/// Sums that are written; those that chains go on from are read as well.
std::int64_t sums_moved(const EntryRuns& runs, bool continued) {
  std::int64_t changes = runs.segment.empty() ? 0 : 1;
  for (std::size_t k = 1; k < runs.segment.size(); ++k) changes += runs.segment[k] != runs.segment[k - 1];
  return continued ? 2 * changes : changes;
}

class CooSegments final : public Segments {
 public:
  CooSegments(const DevicePlace& place, const EntryRuns& runs, const SparseMatrix& segments, bool continued,
              const char* note)
      : Segments(coo_bytes(runs, place.precision)),
        at_(uploaded(place, runs.at)),
        segment_(uploaded(place, runs.segment)),
        column_(uploaded(place, runs.column)),
        value_(uploaded(place, in_precision(runs.value, place.precision))),
        continued_(continued ? 1 : 0),
        entries_(static_cast<std::int64_t>(runs.value.size())),
        columns_(segments.columns),
        segments_(segments.rows),
        kernel_(*place.executor, {"coo_segments", place.precision, {}},
                Box::line(static_cast<std::int64_t>(runs.at.size()) - 1), place.timer,
                std::string("coo_segments") + note,
                product_cost(sums_moved(runs, continued), segments.columns, entries_, bytes(), place.precision)) {}

  void multiply(Queue& queue, const VectorPlace& x, const Argument& sums) override {
    kernel_.launch(queue, std::array{Argument::buffer(at_.memory()), Argument::buffer(segment_.memory()),
                                     Argument::buffer(column_.memory()), Argument::buffer(value_.memory()), x.list(),
                                     sums, Argument::integer(continued_), Argument::integer(entries_),
                                     Argument::integer(columns_), Argument::integer(segments_)});
  }

  [[nodiscard]] const char* format() const override { return "coo"; }

 private:
  Buffer<std::int64_t> at_;
  Buffer<std::int32_t> segment_, column_;
  Buffer<std::byte> value_;
  std::int64_t continued_, entries_, columns_, segments_;
  TimedKernel kernel_;
};

}  // namespace

std::unique_ptr<Segments> coo_segments(const DevicePlace& place, const SparseMatrix& segments, std::int64_t steps,
                                       const char* note) {
  return std::make_unique<CooSegments>(place, entry_runs(segments, steps), segments, steps > 0, note);
}

}  // namespace quoin
