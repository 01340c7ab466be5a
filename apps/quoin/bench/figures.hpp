#pragma once

// What the reports of all benchmarks share.

#include <string>
#include <vector>

#include "runs.hpp"

namespace quoin::bench {

/// Whether there are figures of a row: not where it failed, or where a signal came before its first run.
bool has_figures(const Json& row);

/// The `median`, the `min` and the `max` of at least one value.
Json spread(std::vector<double> values);

/// The best rate of the triad on each device over all runs of all rows, by the devices' names: what its memory can do.
Json triad_rates(const Json& study);

/// Microseconds of an iteration in every run of a row, of its `seconds`.
Json us_per_iteration(const Json& row, const char* seconds);

/// Whether all runs of a row have the bits of the first row of its precision that has figures.
bool has_bits_of_first(const Json& row, const Json& rows);

/// The rows of a study's table, of each case its title and a line a row, with the number of its backend from 1; then
/// the backends and the devices' triads.
std::string lines_of_rows(const Json& study, std::size_t width, std::string (*title)(const Json& of_case),
                          std::string (*line)(const Json& row, std::ptrdiff_t backend));

/// A number for a table, "-" where it is null.
std::string number(const Json& value, int digits);

/// `[1] serial: one core, AVX2`, a line for each backend of the study; `rows` is the key of a case's rows.
std::string legend(const Json& study, const char* rows);

}  // namespace quoin::bench
