#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/axes.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

/// The lines of the matrix's pattern, if all are as long as the first.
std::vector<std::string> pattern_of(const Json& matrix) {
  std::vector<std::string> lines;
  for (const Json& line : list_at(matrix, "pattern")) {
    if (!line.is_string() || line.get_ref<const std::string&>().empty()) return {};
    lines.push_back(line.get<std::string>());
    if (lines.back().size() != lines.front().size()) return {};
  }
  return lines;
}

/// Where entries are: rows from above, a colour for each digit of the pattern.
std::optional<Chart> pattern_chart(const std::vector<std::string>& lines, double rows, double columns) {
  if (lines.empty() || !(rows > 0.0) || !(columns > 0.0)) return std::nullopt;
  Chart chart;
  for (const std::string& line : lines) {
    for (const char mark : line)
      chart.image.push_back(mark >= '1' && mark <= '9' ? static_cast<float>(mark - '0')
                                                       : std::numeric_limits<float>::quiet_NaN());
  }
  const auto filled =
      static_cast<std::size_t>(std::ranges::count_if(chart.image, [](float share) { return std::isfinite(share); }));
  chart.says = fmt::format("{} rows; entries in {} of {} pixels", rows, filled, chart.image.size());
  const auto across = static_cast<double>(lines.front().size());
  const auto down = static_cast<double>(lines.size());
  constexpr double pixels = 130.0;  // along a side, at least: labels take the rest
  chart.script = fmt::format(
      "set size ratio {}\nset border 15\nunset grid\nunset key\nset xrange [0:{}]\nset yrange [{}:0]\n"
      "set palette defined (0 '#c6dbef', 1 '#6baed6', 2 '#2171b5', 3 '#08306b')\nset cbrange [1:9]\n"
      "set cbtics ('> 10%%' 9, '> 0.1%%' 7, '> 0.001%%' 5, 'less' 1)\n"
      "set xlabel 'column'\nset ylabel 'row'\nset rmargin 11\n",
      std::min(2.0, std::max(0.5, rows / columns)), columns, rows);
  chart.script += linear_ticks("x", 0.0, columns, pixels).commands + linear_ticks("y", 0.0, rows, pixels).commands;
  chart.script +=
      fmt::format("plot 'image.raw' binary array=({},{}) format='%float' origin=({},{}) dx={} dy={} with image\n",
                  across, down, 0.5 * columns / across, 0.5 * rows / down, columns / across, rows / down);
  return chart;
}

/// Rows of 0, 1, 2, 3 to 4, 5 to 8, ... entries.
Bars length_bars(const Json& matrix) {
  Bars bars;
  for (const Json& count : list_at(matrix, "row_lengths")) {
    const auto bin = static_cast<int>(bars.size());
    const double most = bin < 2 ? bin : std::ldexp(1.0, bin - 1);
    const std::string name = bin < 3 ? fmt::format("{}", bin) : fmt::format("{} to {}", most / 2 + 1, most);
    bars.emplace_back(name, count.is_number() ? count.get<double>() : 0.0);
  }
  while (!bars.empty() && bars.front().second == 0.0) bars.erase(bars.begin());
  return bars;
}

}  // namespace

std::string matrix_section(const RunResults& run, Gnuplot& gnuplot) {
  if (!run.summary.contains("matrix") || !run.summary["matrix"].is_object()) return {};
  const Json& matrix = run.summary["matrix"];
  const double rows = number_at(matrix, "/rows").value_or(0.0);  // a system's matrix is square
  const std::string figures =
      figure_of(gnuplot, pattern_chart(pattern_of(matrix), rows, rows),
                "Where the matrix has entries: which share of the positions behind a pixel.") +
      figure_of(gnuplot, bar_chart(length_bars(matrix), "rows"), "Rows by their number of entries.");
  return figures.empty() ? "" : html::section("matrix", "The matrix", charts(figures));
}

}  // namespace quoin
