#pragma once

// What the reports of all benchmarks share.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "runs.hpp"

namespace quoin::bench {

/// Whether there are figures of a row: not where it failed, or where a signal came before its first run.
bool has_figures(const Json& row);

/// The `median`, the `min` and the `max` of at least one value.
Json spread(std::vector<double> values);

/// The largest value of a fact over the runs of a row; null where no run knows it.
Json largest(const Json& row, const char* fact);

/// The best rate of the triad on each device over all runs of all rows, by the devices' names: what its memory can do.
Json triad_rates(const Json& study);

/// Microseconds of an iteration in every run of a row, of its `seconds`.
Json us_per_iteration(const Json& row, const char* seconds);

/// The first row for which that holds, or null where there is none, or no figures of it.
template <class Holds>
const Json* first_row(const Json& rows, const Holds& holds) {
  const auto found = std::ranges::find_if(rows, holds);
  return found != rows.end() && has_figures(*found) ? &*found : nullptr;
}

/// Whether all runs of a row have the bits of the first row with figures that is alike, as the row itself is.
bool has_bits_of_first(const Json& row, const Json& rows, const std::function<bool(const Json& other)>& alike);
/// ... that is of its precision, and of its `nodes` where rows have their own.
bool has_bits_of_first(const Json& row, const Json& rows);

/// Adds what follows from the runs that there are: the devices' triads; what each row is by itself; then what it is
/// next to the other rows of its case.
template <class Describe, class Relate>
void evaluate_rows(Json& study, const Describe& describe, const Relate& relate) {
  study["devices"] = triad_rates(study);
  for (Json& of_case : study["cases"]) {
    Json& rows = of_case["rows"];
    for (Json& row : rows) {
      if (has_figures(row)) describe(row, of_case, study["devices"]);
    }
    for (Json& row : rows) {
      if (has_figures(row)) relate(row, rows);
    }
  }
}

/// How the line of a row begins: its backend, what `key` says of it, its precision where that is known; and its end
/// where there are no figures.
std::string start_of_line(const Json& row, std::ptrdiff_t backend, const char* key, int width);

/// The rows of a study's table, of each case its title and a line a row, with the number of its backend from 1; then
/// the backends and the devices' triads.
std::string lines_of_rows(const Json& study, std::size_t width, std::string (*title)(const Json& of_case),
                          std::string (*line)(const Json& row, std::ptrdiff_t backend));

/// A number for a table, "-" where it is null.
std::string number(const Json& value, int digits);

/// `[1] serial: one core, AVX2`, a line for each backend of the study; `rows` is the key of a case's rows.
std::string legend(const Json& study, const char* rows);

}  // namespace quoin::bench
