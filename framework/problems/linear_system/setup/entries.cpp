#include "problems/linear_system/setup/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/declare.h"

namespace quoin {
namespace {

std::int64_t entries_of(const SparseMatrix& segments, std::int64_t s) {
  return segments.at[static_cast<std::size_t>(s) + 1] - segments.at[static_cast<std::size_t>(s)];
}

}  // namespace

EntryColumns entry_columns(const SparseMatrix& segments, std::int64_t steps) {
  EntryColumns columns;
  columns.pitch = slices_in(segments.rows) * slice_lanes;  // each step begins where memory is read as a whole
  columns.steps = steps;
  columns.column.assign(static_cast<std::size_t>(steps * columns.pitch), QN_NOTHING);
  columns.value.assign(columns.column.size(), -0.0);
  for (std::int64_t s = 0; s < segments.rows; ++s) {
    const std::int64_t first = segments.at[static_cast<std::size_t>(s)];
    const std::int64_t count = std::min(steps, entries_of(segments, s));
    columns.entries += count;
    for (std::int64_t k = 0; k < count; ++k) {
      const auto from = static_cast<std::size_t>(first + k);
      const auto to = static_cast<std::size_t>(k * columns.pitch + s);
      columns.column[to] = static_cast<std::int32_t>(segments.column[from]);
      columns.value[to] = segments.value[from];
    }
  }
  return columns;
}

EntryRuns entry_runs(const SparseMatrix& segments, std::int64_t steps) {
  EntryRuns runs;
  runs.at.push_back(0);
  std::size_t count = 0;
  for (std::int64_t s = 0; s < segments.rows; ++s)
    count += static_cast<std::size_t>(std::max<std::int64_t>(steps == 0 ? 1 : 0, entries_of(segments, s) - steps));
  runs.segment.reserve(count);
  runs.column.reserve(count);
  runs.value.reserve(count);
  const auto add = [&](std::int64_t segment, std::int64_t column, double value) {
    runs.segment.push_back(static_cast<std::int32_t>(segment));
    runs.column.push_back(static_cast<std::int32_t>(column));
    runs.value.push_back(value);
  };
  std::int64_t end = 0;  // of the segments so far
  for (std::int64_t s = 0; s < segments.rows; ++s) {
    const auto last = static_cast<std::size_t>(segments.at[static_cast<std::size_t>(s) + 1]);
    for (auto k = last - static_cast<std::size_t>(std::max<std::int64_t>(0, entries_of(segments, s) - steps)); k < last;
         ++k)
      add(s, segments.column[k], segments.value[k]);
    if (steps == 0 && entries_of(segments, s) == 0) add(s, QN_NOTHING, -0.0);
    const auto now = static_cast<std::int64_t>(runs.value.size());
    if (now - runs.at.back() > run_length && end > runs.at.back()) runs.at.push_back(end);
    end = now;
  }
  if (end > runs.at.back()) runs.at.push_back(end);
  return runs;
}

std::int64_t longest_segment(const SparseMatrix& segments) {
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < segments.rows; ++s) longest = std::max(longest, entries_of(segments, s));
  return longest;
}

std::int64_t hybrid_steps(const SparseMatrix& segments) {
  std::array<std::int64_t, segment_length + 1> count{};  // of each length
  for (std::int64_t s = 0; s < segments.rows; ++s) ++count[static_cast<std::size_t>(entries_of(segments, s))];
  std::int64_t steps = 0;
  for (std::int64_t fit = count[0]; 5 * fit < 4 * segments.rows; fit += count[static_cast<std::size_t>(steps)]) ++steps;
  const double places = most_slots * static_cast<double>(segments.entries());
  return std::min(steps,
                  static_cast<std::int64_t>(places / static_cast<double>(std::max<std::int64_t>(1, segments.rows))));
}

double column_slots(const SparseMatrix& matrix) {
  std::int64_t longest = 0;
  std::int64_t segments = 0;  // of longer rows
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t entries = entries_of(matrix, row);
    if (entries <= segment_length)
      longest = std::max(longest, entries);
    else
      segments += (entries + segment_length - 1) / segment_length;
  }
  return static_cast<double>(longest * matrix.rows + segment_length * segments) /
         static_cast<double>(std::max<std::int64_t>(1, matrix.entries()));
}

std::string refusal_of(const SparseMatrix& matrix, Format format, const char* name) {
  const bool ell = format == Format::ell;
  if (matrix.rows <= few_rows || !may_be_refused(format)) return {};
  const double slots = ell ? column_slots(matrix) : sample_slices(matrix).slots;
  if (slots <= most_slots) return {};
  return fmt::format("{} would store {:.1f} values for each entry of {}; use auto or {}", ell ? "ell" : "sell", slots,
                     name, ell ? "hybrid" : "csr");
}

}  // namespace quoin
