#pragma once

// Segments in the format SELL: slices of 32 of them, whose entries lie side by side step by step. Columns are relative
// to the slice, so that where coefficients do not vary a few slices stand for all: those that are alike are stored
// once.

#include <cstdint>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Entries of a row that are summed in one chain: longer rows are cut into segments of so many.
inline constexpr std::int64_t segment_length = 32;
/// Lanes of a slice.
inline constexpr std::int64_t slice_lanes = 32;

/// Slices of so many segments.
constexpr std::int64_t slices_in(std::int64_t segments) { return (segments + slice_lanes - 1) / slice_lanes; }

/// As the kernel sell_segments reads it.
struct Slices {
  std::vector<std::int64_t> value_at, pattern_at;  ///< of each slice
  std::vector<std::int32_t> steps, kind;
  std::vector<std::int32_t> pattern;
  std::vector<double> value;
  std::int64_t shared = 0;  ///< slices without values of their own

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(kind.size()); }
};

enum class Sharing {
  off,
  automatic,  ///< until 100,000 slices differ
  on
};
enum class Format { automatic, csr, sell, ell, coo, hybrid };
/// How a matrix is stored; it makes no difference to the results.
struct Storage {
  Format format = Format::automatic;
  Sharing sharing = Sharing::automatic;
};

Slices slices_of(const SparseMatrix& segments, Sharing sharing);

/// What decides whether a matrix is better stored so, from 1 in 64 of its slices, or from all of a small one.
struct SliceSample {
  double slots = 0.0;    ///< an entry: 1 where the segments of a slice are of equal length
  double aligned = 0.0;  ///< the part of the slices whose lanes have their entries equally far from the diagonal
};
SliceSample sample_slices(const SparseMatrix& matrix);
/// Slots an entry that slices may have where nobody has asked for them, and that anything may have which fills gaps;
/// matrices of few rows may have any number.
inline constexpr double worthwhile_slots = 1.5;
inline constexpr double most_slots = 3.0;
inline constexpr std::int64_t few_rows = 1024;
constexpr bool fills_gaps(Format format) { return format != Format::csr && format != Format::coo; }
constexpr double slots_at_most(Format format) {
  return !fills_gaps(format) ? 1.0 : format == Format::automatic ? worthwhile_slots : most_slots;
}
/// Whether an entry may tell its segment.
constexpr bool lists_entries(Format format) { return format == Format::coo || format == Format::hybrid; }

}  // namespace quoin
