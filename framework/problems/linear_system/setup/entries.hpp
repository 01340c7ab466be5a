#pragma once

// Segments in the formats ELL and COO: the k-th entries of all side by side, or entries one after the other that tell
// their segment; and what of each a hybrid of the two holds.

#include <cstdint>
#include <string>
#include <vector>

#include "problems/linear_system/setup/slices.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// The first entries of every segment, as the kernel ell_segments reads them.
struct EntryColumns {
  std::int64_t pitch = 0, steps = 0;  ///< entry k of segment s is at k * pitch + s
  std::vector<std::int32_t> column;
  std::vector<double> value;
  std::int64_t entries = 0;  ///< without what fills gaps
};
/// Of at most `steps` entries each.
EntryColumns entry_columns(const SparseMatrix& segments, std::int64_t steps);

/// As the kernel coo_segments reads them.
struct EntryRuns {
  std::vector<std::int64_t> at;  ///< of each run, and the end
  std::vector<std::int32_t> segment, column;
  std::vector<double> value;
};
/// Entries of a run at most: 32, as many as of a segment, which is never cut. On one core no length from 1 to 2048 made
/// a difference; where a run is a lane's, longer ones would leave fewer lanes, and shorter ones lanes of unequal work.
inline constexpr std::int64_t run_length = 32;
/// All but the first `steps` entries of every segment. Where all are asked for, a segment without any has one that adds
/// nothing, so that its sum is written.
EntryRuns entry_runs(const SparseMatrix& segments, std::int64_t steps);

/// Entries of the longest segment.
std::int64_t longest_segment(const SparseMatrix& segments);
/// Steps of a hybrid's columns: four of five segments have no more entries, unless for each entry there were more than
/// most_slots places then.
std::int64_t hybrid_steps(const SparseMatrix& segments);
/// Places for each entry of a matrix whose rows are stored in columns: those of a segment, and the segments of longer
/// ones.
double column_slots(const SparseMatrix& matrix);
/// Whether a matrix may have too many gaps for it.
constexpr bool may_be_refused(Format format) { return format == Format::ell || format == Format::sell; }
/// Why a matrix is not stored so: because of gaps, where it has more than few_rows. Empty where it is.
std::string refusal_of(const SparseMatrix& matrix, Format format, const char* name = "this matrix");

}  // namespace quoin
