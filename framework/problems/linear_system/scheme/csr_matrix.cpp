#include "problems/linear_system/scheme/csr_matrix.hpp"

#include <algorithm>
#include <array>

namespace quoin {
namespace {

template <class T>
Buffer<T> uploaded(const std::shared_ptr<Executor>& executor, Queue& queue, const std::vector<T>& values) {
  Buffer<T> buffer(executor, std::max<std::size_t>(1, values.size()));  // no device allocates nothing
  if (!values.empty()) buffer.upload(queue, values);
  return buffer;
}

/// What a launch moves and does at least: entries, where segments begin, their sums and each x once.
Cost cost_of(const SparseMatrix& segments, Precision precision) {
  const auto entries = static_cast<double>(segments.entries());
  const auto size = static_cast<double>(element_size(precision));
  const auto vectors = static_cast<double>(segments.rows + std::min(segments.columns, segments.entries()));
  return {entries * (size + sizeof(std::int32_t)) + static_cast<double>(segments.rows) * sizeof(std::int64_t) +
              vectors * size,
          2.0 * entries};
}

/// Segments [first, last) of entries of a row, one after the other.
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

}  // namespace

CsrMatrix::Segments::Segments(const std::shared_ptr<Executor>& executor, Queue& queue, const SparseMatrix& segments,
                              Precision precision, KernelTimer& timer, const char* row)
    : at(uploaded(executor, queue, segments.at)),
      column(uploaded(executor, queue, std::vector<std::int32_t>(segments.column.begin(), segments.column.end()))),
      value(uploaded(executor, queue, in_precision(segments.value, precision))),
      entries(segments.entries()),
      columns(segments.columns),
      kernel(*executor, {"csr_segments", precision, {}}, Box::line(segments.rows), timer, row,
             cost_of(segments, precision)) {}

void CsrMatrix::Segments::launch(Queue& queue, Vector& x, const Argument& sums) {
  kernel.launch(queue, std::array{Argument::buffer(at.memory()), Argument::buffer(column.memory()),
                                  Argument::buffer(value.memory()), x.list(), sums, Argument::integer(entries),
                                  Argument::integer(columns)});
}

std::optional<CsrMatrix::LongRows> CsrMatrix::long_rows(const std::shared_ptr<Executor>& executor, Queue& queue,
                                                        const SparseMatrix& matrix, Precision precision,
                                                        KernelTimer& timer) {
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
  const auto size = static_cast<double>(element_size(precision));
  const Cost join{static_cast<double>(segments.rows + count) * size + 12.0 * static_cast<double>(count),
                  static_cast<double>(segments.rows)};
  return std::optional<LongRows>(
      {Segments(executor, queue, segments, precision, timer, "csr_segments (long rows)"),
       Buffer<std::byte>(executor, static_cast<std::size_t>(segments.rows) * element_size(precision)),
       uploaded(executor, queue, first), uploaded(executor, queue, row), matrix.rows, segments.rows,
       TimedKernel(*executor, {"row_join", precision, {}}, Box::line(count), timer, {}, join)});
}

CsrMatrix::CsrMatrix(const std::shared_ptr<Executor>& executor, Queue& queue, const SparseMatrix& matrix,
                     Precision precision, KernelTimer& timer)
    : rows_(has_long_rows(matrix)
                ? Segments(executor, queue, short_rows(matrix), precision, timer, "csr_segments")
                : Segments(executor, queue, matrix, precision, timer, "csr_segments")),  // without a copy
      long_(long_rows(executor, queue, matrix, precision, timer)) {}

void CsrMatrix::multiply(Queue& queue, Vector& x, Vector& y) {
  rows_.launch(queue, x, y.list());
  if (!long_) return;
  const Argument sums = Argument::buffer(long_->sums.memory());
  long_->segments.launch(queue, x, sums);
  long_->join.launch(
      queue, std::array{Argument::buffer(long_->first.memory()), Argument::buffer(long_->row.memory()), sums, y.list(),
                        Argument::integer(long_->count), Argument::integer(long_->rows)});
}

double csr_bytes(std::int64_t rows, std::int64_t entries, Precision precision) {
  const auto size = static_cast<double>(element_size(precision));
  // Of long rows, for every 33 entries: two segments, their sums and their row.
  return static_cast<double>(entries) * (size + sizeof(std::int32_t)) + static_cast<double>(rows + 1) * 8.0 +
         static_cast<double>(entries) / 33.0 * (2.0 * (size + 8.0) + 12.0);
}

}  // namespace quoin
