#pragma once

#include <string>

#include "report/gnuplot.hpp"
#include "report/results.hpp"
#include "report/series.hpp"

namespace quoin {

/// The chart as a figure; where it could not be drawn, a line that says why, and nothing without gnuplot at all.
std::string figure_of(Gnuplot& gnuplot, const std::optional<Chart>& chart, const std::string& caption,
                      const std::string& over = "");

/// Figures side by side, where there is room.
std::string charts(const std::string& figures);

/// How a run ended, in a line of its colour and with what failed.
std::string status_of(const RunResults& run);

// The sections of a page about one run.
std::string summary_section(const RunResults& run);
std::string history_section(const RunResults& run, Gnuplot& gnuplot);
std::string fields_section(const RunResults& run, Gnuplot& gnuplot);
// Of its fields:
/// The controls of the frames, which are hidden where there is one, or no script.
std::string player(const Series& series);
/// What lies over the picture of a field, where the script paints its frames and is pressed for a value.
std::string place_over(const Chart& chart, std::size_t field);
/// The controls that choose a point, and the values of all of them.
std::string reader(const Series& series);
/// The fields along the middle lines.
std::string cuts(const Series& series, Gnuplot& gnuplot);

/// Empty where the run has no probes and no lines.
std::string samples_section(const RunResults& run, Gnuplot& gnuplot);
/// Empty where the problem has no matrix.
std::string matrix_section(const RunResults& run, Gnuplot& gnuplot);
std::string kernels_section(const RunResults& run, Gnuplot& gnuplot);
std::string case_section(const RunResults& run);

/// Of `quoin converge`: its levels, and the order that they were to have.
std::string converge_sections(const Json& levels, std::optional<double> expected, Gnuplot& gnuplot);
/// Of `quoin sweep`: what sweep.json holds.
std::string sweep_sections(const Json& study, Gnuplot& gnuplot);
/// Of `quoin compare`: its runs.
std::string compare_sections(const Json& runs, Gnuplot& gnuplot);

}  // namespace quoin
