#include "problems/linear_system/scheme/device_matrix.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

bool is_long(const SparseMatrix& matrix, std::size_t row) {
  return matrix.at[row + 1] - matrix.at[row] > segment_length;
}

bool has_long_rows(const SparseMatrix& matrix) {
  for (std::size_t row = 0; row + 1 < matrix.at.size(); ++row)
    if (is_long(matrix, row)) return true;
  return false;
}

SparseMatrix short_rows(const SparseMatrix& matrix) {
  SparseMatrix segments{0, matrix.columns, {0}, {}, {}};
  for (std::size_t row = 0; row + 1 < matrix.at.size(); ++row)
    append_row(segments, matrix, matrix.at[row], is_long(matrix, row) ? matrix.at[row] : matrix.at[row + 1]);
  return segments;
}

std::unique_ptr<Segments> segments_of_rows(const DevicePlace& place, const SparseMatrix& matrix, const Storage& storage,
                                           const char* note) {
  if (has_long_rows(matrix)) return stored_segments(place, short_rows(matrix), storage, note);
  return stored_segments(place, matrix, storage, note);  // without a copy
}

/// Sums that a launch joins for a row: the pairwise tree is made by as many launches as it has such levels, so that no
/// thread of a device has more to do.
constexpr std::int64_t joined = 64;

/// A multiple of `joined` in each of the levels but the last.
std::int64_t filled(std::int64_t sums) {
  std::int64_t unit = 1;
  while (sums > joined * unit) unit *= joined;
  return (sums + unit - 1) / unit * unit;
}

/// The rows of more than one segment, with empty ones at their ends to join.
struct Cut {
  SparseMatrix segments;
  std::vector<std::int32_t> row;
  std::vector<std::int64_t> count;  ///< segments of each
};

Cut long_segments(const SparseMatrix& matrix) {
  Cut cut{{0, matrix.columns, {0}, {}, {}}, {}, {}};
  for (std::size_t r = 0; r + 1 < matrix.at.size(); ++r) {
    if (!is_long(matrix, r)) continue;
    const std::int64_t before = cut.segments.rows;
    const std::int64_t end = matrix.at[r + 1];
    for (std::int64_t k = matrix.at[r]; k < end; k += segment_length)
      append_row(cut.segments, matrix, k, std::min(k + segment_length, end));
    const std::int64_t whole = before + filled(cut.segments.rows - before);
    while (cut.segments.rows < whole) append_row(cut.segments, matrix, end, end);
    cut.row.push_back(static_cast<std::int32_t>(r));
    cut.count.push_back(cut.segments.rows - before);
  }
  return cut;
}

}  // namespace

std::optional<DeviceMatrix::LongRows> DeviceMatrix::long_rows(const DevicePlace& place, const SparseMatrix& matrix,
                                                              const Storage& storage) {
  Cut cut = long_segments(matrix);
  if (cut.row.empty()) return std::nullopt;
  LongRows rows{stored_segments(place, cut.segments, storage, " (long rows)"), {}};
  std::int64_t sums = cut.segments.rows;
  for (bool last = false; !last;) {
    last = *std::max_element(cut.count.begin(), cut.count.end()) <= joined;
    std::vector<std::int64_t> first{0};
    for (std::int64_t& count : cut.count) {
      const std::int64_t groups = (count + joined - 1) / joined;
      for (std::int64_t k = 0; k < groups; ++k) first.push_back(first.back() + std::min(count - k * joined, joined));
      count = groups;
    }
    std::vector<std::int32_t> to = cut.row;
    if (!last) {
      to.resize(first.size() - 1);
      std::iota(to.begin(), to.end(), 0);
    }
    rows.joins.push_back(join_of(place, sums, first, to, last ? matrix.rows : static_cast<std::int64_t>(to.size())));
    sums = static_cast<std::int64_t>(to.size());
  }
  return std::optional<LongRows>(std::move(rows));
}

DeviceMatrix::Join DeviceMatrix::join_of(const DevicePlace& place, std::int64_t sums,
                                         const std::vector<std::int64_t>& first, const std::vector<std::int32_t>& to,
                                         std::int64_t results) {
  const std::size_t size = element_size(place.precision);
  const auto count = static_cast<std::int64_t>(to.size());
  const Cost cost{static_cast<double>(sums + count) * static_cast<double>(size) + 12.0 * static_cast<double>(count),
                  static_cast<double>(sums)};
  // The kernel of slices writes all lanes.
  return {Buffer<std::byte>(place.executor, static_cast<std::size_t>(slices_in(sums) * slice_lanes) * size),
          uploaded(place, first),
          uploaded(place, to),
          sums,
          results,
          TimedKernel(*place.executor, {"row_join", place.precision, {}}, Box::line(count), place.timer, {}, cost)};
}

DeviceMatrix::DeviceMatrix(const DevicePlace& place, const SparseMatrix& matrix, const Storage& storage,
                           const char* note)
    : rows_(segments_of_rows(place, matrix, storage, note)), long_(long_rows(place, matrix, storage)) {}

void DeviceMatrix::multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y) {
  rows_->multiply(queue, x, y.list());
  if (!long_) return;
  const auto sums_of = [this](std::size_t k) { return Argument::buffer(long_->joins[k].sums.memory()); };
  long_->segments->multiply(queue, x, sums_of(0));
  for (std::size_t k = 0; k < long_->joins.size(); ++k) {
    Join& join = long_->joins[k];
    const Argument results = k + 1 < long_->joins.size() ? sums_of(k + 1) : y.list();
    join.kernel.launch(queue,
                       std::array{Argument::buffer(join.first.memory()), Argument::buffer(join.to.memory()), sums_of(k),
                                  results, Argument::integer(join.count), Argument::integer(join.results)});
  }
}

double DeviceMatrix::bytes() const {
  double bytes = rows_->bytes();
  if (!long_) return bytes;
  bytes += long_->segments->bytes();
  for (const Join& join : long_->joins) bytes += static_cast<double>(join.sums.size() + join.to.size() * 12);
  return bytes;
}

double matrix_bytes(std::int64_t rows, std::int64_t entries, Format format, Precision precision) {
  // Of long rows, for every 32 entries: two segments at most, their sums, and in each level of joining one row.
  const double more = static_cast<double>(entries) / 32.0;
  double levels = 1.0;
  for (std::int64_t sums = entries / 32; sums > joined; sums /= joined) ++levels;
  const auto size = static_cast<double>(element_size(precision));
  const double segments = static_cast<double>(rows) + 2.0 * more;
  const double in_slots = format == Format::coo ? 0.0 : slots_at_most(format) * static_cast<double>(entries);
  // With an entry for each empty segment; a run begins at least every 16.
  const double listed = lists_entries(format) ? static_cast<double>(entries) + segments : 0.0;
  const auto filled = static_cast<double>((fills_gaps(format) ? std::min(rows, few_rows) : 0) + 2 * slice_lanes);
  return csr_bytes(segments, in_slots, precision) + listed * (size + 8.5) + more * (levels + 1.0) * (size + 12.0) +
         filled * static_cast<double>(segment_length) * (size + 4.0);
}

}  // namespace quoin
