#pragma once

// What differs between two runs, as JSON.

#include <span>

#include "runs.hpp"

namespace quoin {

/// Of the values of one field and of another with as many.
struct FieldDifference {
  bool equal_bits = true;
  double largest = 0.0;  ///< NaN where one value is
  double l2 = 0.0;       ///< the root of the mean square
};
FieldDifference difference(std::span<const double> a, std::span<const double> b);

/// Keys that one of the cases has another value of, or not at all: `key`, `a`, `b`. But for output.directory.
Json case_differences(const Case& a, const Case& b);

/// Whether the key says what is solved and how; the others say where, and what is written.
bool of_the_solution(const std::string& key);

/// Results in summary.json that are not the same: `name`, `a`, `b`.
Json figure_differences(const Json& a, const Json& b);

/// Seconds that both runs tell: `name`, `a`, `b`, `ratio`.
Json time_differences(const Json& a, const Json& b);

/// Of each field of a frame that both runs have, and of their last frames: `file`, `field`, `nodes`, `equal_bits`,
/// `largest_difference`, `l2_difference`; or `file`, and in `differs` what cannot be compared, or in `error` why it
/// cannot be read.
Json field_differences(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace quoin
