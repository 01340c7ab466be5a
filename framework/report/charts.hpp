#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/gnuplot.hpp"
#include "report/raster.hpp"
#include "report/table.hpp"

namespace quoin {

// Each is a script for gnuplot; empty where there is nothing to draw. Names may be any text.

/// y on a logarithmic axis, a line across at `tolerance`, and a mark at the residual that was measured at the end,
/// where y is that of a recurrence.
std::optional<Chart> residual_chart(const Curve& curve, const std::string& along, std::optional<double> tolerance,
                                    std::optional<Sample> measured = {});
/// How far y went from its start.
std::optional<Chart> change_chart(const Curve& curve, const std::string& along, const std::string& name, double start);
/// A bar a row, the first on top.
using Bars = std::vector<std::pair<std::string, double>>;
std::optional<Chart> bar_chart(const Bars& bars, const std::string& axis);

/// Some curves in one chart; each has a colour and a mark of its own, and is broken where y is not finite.
using Lines = std::vector<std::pair<std::string, std::vector<Sample>>>;
std::optional<Chart> curves_chart(const Lines& curves, const std::string& along, const std::string& name);

/// Some figures over a value that was varied. An axis is logarithmic where it reaches far.
std::optional<Chart> lines_chart(const Lines& lines, const std::string& along, const std::string& name);

struct RooflinePoint {
  std::string name;
  double intensity;  ///< FLOP a byte
  double rate;       ///< GFLOP/s
};
/// What the device was measured to do: its memory's copy and triad in GB/s and its multiply-adds in GFLOP/s; 0 where it
/// was not.
struct Roof {
  double copy = 0.0;
  double triad = 0.0;
  double multiply_add = 0.0;
};
std::optional<Chart> roofline_chart(const std::vector<RooflinePoint>& points, const Roof& roof);

/// Errors of one norm, level by level; each mesh is twice as fine as the one before.
struct ErrorCurve {
  std::string name;
  std::vector<std::optional<double>> errors;
};
/// With a line that falls with that order below them.
std::optional<Chart> convergence_chart(const std::vector<ErrorCurve>& curves, std::optional<double> order);

/// The least and the greatest value that is finite; empty where none is.
struct Range {
  double low;
  double high;
};
std::optional<Range> range_of(const Raster& raster);

/// From dark to bright, at equal distances.
inline constexpr std::array palette{"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c",
                                    "#28ae80", "#5ec962", "#addc30", "#fde725"};
/// From where to where the colours of a field go: a constant in 32 bits needs some width.
Range colours_over(Range values);

/// The field, or with `error` its signed error, about which the colours are symmetric. The colours go over `range`,
/// where it is given, so that pictures can be compared. Empty for a line, too.
std::optional<Chart> picture_chart(const std::string& name, const Raster& raster, bool error,
                                   std::optional<Range> range = {});

}  // namespace quoin
