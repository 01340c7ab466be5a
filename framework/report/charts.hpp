#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/gnuplot.hpp"
#include "report/raster.hpp"
#include "report/table.hpp"

namespace quoin {

// Each is a script for gnuplot; empty where there is nothing to draw. Names may be any text.

/// y on a logarithmic axis, and a line across at `tolerance`.
std::optional<Chart> residual_chart(const Curve& curve, const std::string& along, std::optional<double> tolerance);
/// How far y went from its start.
std::optional<Chart> change_chart(const Curve& curve, const std::string& along, const std::string& name, double start);
/// A bar a row, the first on top.
using Bars = std::vector<std::pair<std::string, double>>;
std::optional<Chart> bar_chart(const Bars& bars, const std::string& axis);

struct RooflinePoint {
  std::string name;
  double intensity;  ///< FLOP a byte
  double rate;       ///< GFLOP/s
};
/// Under the lines of the memory's copy and triad in GB/s, 0 where not measured.
std::optional<Chart> roofline_chart(const std::vector<RooflinePoint>& points, double copy, double triad);

/// Errors of one norm, level by level; each mesh is twice as fine as the one before.
struct ErrorCurve {
  std::string name;
  std::vector<std::optional<double>> errors;
};
/// With a line that falls with that order below them.
std::optional<Chart> convergence_chart(const std::vector<ErrorCurve>& curves, std::optional<double> order);

/// The field, or with `error` its signed error, about which the colours are symmetric.
std::optional<Chart> picture_chart(const std::string& name, const Raster& raster, bool error);

/// The least and the greatest value that is finite; empty where none is.
struct Range {
  double low;
  double high;
};
std::optional<Range> range_of(const Raster& raster);

}  // namespace quoin
