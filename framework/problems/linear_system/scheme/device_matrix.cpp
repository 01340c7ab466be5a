#include "problems/linear_system/scheme/device_matrix.hpp"

#include <algorithm>
#include <array>

namespace quoin {
namespace {

/// Entries [first, last) as one more segment.
void append(SparseMatrix& segments, const SparseMatrix& matrix, std::int64_t first, std::int64_t last) {
  segments.column.insert(segments.column.end(), matrix.column.begin() + first, matrix.column.begin() + last);
  segments.value.insert(segments.value.end(), matrix.value.begin() + first, matrix.value.begin() + last);
  ++segments.rows;
  segments.at.push_back(segments.at.back() + last - first);
}

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
    append(segments, matrix, matrix.at[row], is_long(matrix, row) ? matrix.at[row] : matrix.at[row + 1]);
  return segments;
}

std::unique_ptr<Segments> segments_of_rows(const DevicePlace& place, const SparseMatrix& matrix,
                                           const Storage& storage) {
  if (has_long_rows(matrix)) return stored_segments(place, short_rows(matrix), storage);
  return stored_segments(place, matrix, storage);  // without a copy
}

}  // namespace

std::optional<DeviceMatrix::LongRows> DeviceMatrix::long_rows(const DevicePlace& place, const SparseMatrix& matrix,
                                                              const Storage& storage) {
  SparseMatrix segments{0, matrix.columns, {0}, {}, {}};
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> row;
  for (std::size_t r = 0; r + 1 < matrix.at.size(); ++r) {
    if (!is_long(matrix, r)) continue;
    for (std::int64_t k = matrix.at[r]; k < matrix.at[r + 1]; k += segment_length)
      append(segments, matrix, k, std::min(k + segment_length, matrix.at[r + 1]));
    first.push_back(segments.rows);
    row.push_back(static_cast<std::int32_t>(r));
  }
  if (row.empty()) return std::nullopt;
  const auto count = static_cast<std::int64_t>(row.size());
  const std::size_t size = element_size(place.precision);
  const Cost join{
      static_cast<double>(segments.rows + count) * static_cast<double>(size) + 12.0 * static_cast<double>(count),
      static_cast<double>(segments.rows)};
  return std::optional<LongRows>(
      {stored_segments(place, segments, storage, " (long rows)"),
       // The kernel of slices writes all lanes.
       Buffer<std::byte>(place.executor, static_cast<std::size_t>(slices_in(segments.rows) * slice_lanes) * size),
       uploaded(place, first), uploaded(place, row), matrix.rows, segments.rows,
       TimedKernel(*place.executor, {"row_join", place.precision, {}}, Box::line(count), place.timer, {}, join)});
}

DeviceMatrix::DeviceMatrix(const DevicePlace& place, const SparseMatrix& matrix, const Storage& storage)
    : rows_(segments_of_rows(place, matrix, storage)), long_(long_rows(place, matrix, storage)) {}

void DeviceMatrix::multiply(Queue& queue, const VectorPlace& x, const VectorPlace& y) {
  rows_->multiply(queue, x, y.list());
  if (!long_) return;
  const Argument sums = Argument::buffer(long_->sums.memory());
  long_->segments->multiply(queue, x, sums);
  long_->join.launch(
      queue, std::array{Argument::buffer(long_->first.memory()), Argument::buffer(long_->row.memory()), sums, y.list(),
                        Argument::integer(long_->count), Argument::integer(long_->rows)});
}

double DeviceMatrix::bytes() const {
  if (!long_) return rows_->bytes();
  return rows_->bytes() + long_->segments->bytes() + static_cast<double>(long_->sums.size() + long_->row.size() * 12);
}

double matrix_bytes(std::int64_t rows, std::int64_t entries, Format format, Precision precision) {
  // Of long rows, for every 33 entries: two segments, their sums and their row.
  const double more = static_cast<double>(entries) / 33.0;
  const auto size = static_cast<double>(element_size(precision));
  const double segments = static_cast<double>(rows) + 2.0 * more;
  const double in_slots = format == Format::coo ? 0.0 : slots_at_most(format) * static_cast<double>(entries);
  // With an entry for each empty segment; a run begins at least every 16.
  const double listed = lists_entries(format) ? static_cast<double>(entries) + segments : 0.0;
  const auto filled = static_cast<double>((fills_gaps(format) ? std::min(rows, few_rows) : 0) + 2 * slice_lanes);
  return csr_bytes(segments, in_slots, precision) + listed * (size + 8.5) + more * (2.0 * size + 12.0) +
         filled * static_cast<double>(segment_length) * (size + 4.0);
}

}  // namespace quoin
