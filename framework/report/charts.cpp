#include "report/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quoin {
namespace {

// Okabe and Ito's, which the colour-blind tell apart.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"};
constexpr std::array marks{7, 5, 9, 13, 11, 6, 4, 8};

const char* colour(std::size_t k) { return colours.at(k % colours.size()); }

std::string block_of(const std::vector<Sample>& samples) {
  std::string text = "$d << EOD\n";
  for (const Sample& sample : samples) text += fmt::format("{} {}\n", sample.x, sample.y);
  return text + "EOD\n";
}

std::string lines_or_points(const std::vector<Sample>& samples) {
  return samples.size() > 30 ? "lines" : "linespoints pt 7 ps 0.5";
}

/// Ticks at round numbers, about so many: gnuplot's own choice does not know how long the labels are.
std::string ticks(const char* axis, double low, double high, double wanted) {
  const double rough = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double nice : {5.0, 2.5, 2.0, 1.0})
    if (nice * power >= rough) step = nice * power;
  return fmt::format("set {}tics {}\n", axis, step);
}

/// A logarithmic axis with some room, and a tick at least every other decade that is legible.
std::string log_axis(char axis, double low, double high, bool room = true) {
  const double decades = std::log10(high) - std::log10(low);
  const double margin = room ? std::pow(10.0, std::max(0.05 * decades, 0.05)) : 1.0;
  const std::string format = decades > 1.5 ? "10^{%T}" : "%.1e";
  const double step = std::max(1.0, std::ceil(decades / 8.0));
  std::string text = fmt::format("set logscale {0}\nset {0}range [{1}:{2}]\nset format {0} '{3}'\n", axis,
                                 std::max(low / margin, 1e-307), std::min(high * margin, 1e307), format);
  if (decades > 1.5) text += fmt::format("set {}tics {}\n", axis, std::pow(10.0, step));
  return text;
}

}  // namespace

std::optional<Chart> residual_chart(const Curve& curve, const std::string& along, std::optional<double> tolerance) {
  std::vector<Sample> samples = curve.samples();
  std::erase_if(samples, [](const Sample& sample) { return !(sample.y > 0.0); });  // a logarithm of 0 has no place
  if (samples.size() < 2) return std::nullopt;
  const auto [least, greatest] = std::ranges::minmax(samples, {}, &Sample::y);
  const bool line = tolerance && *tolerance > 0.0;
  const double low = line ? std::min(least.y, *tolerance) : least.y;
  const double high = line ? std::max(greatest.y, *tolerance) : greatest.y;
  std::string script = block_of(samples) + log_axis('y', low, high);
  const double end = samples.back().x > 0.0 ? samples.back().x : 1.0;
  script += fmt::format("set xrange [0:{}]\n", end) + ticks("x", 0.0, end, 4.0);
  script += "set xlabel " + quoted(along) + " noenhanced\nset ylabel 'residual norm'\n";
  script += fmt::format("set key below samplen 2 height 0.8\nplot $d with {} lw 2 lc rgb '{}' title 'residual'",
                        lines_or_points(samples), colour(0));
  if (line) script += fmt::format(", {} with lines lw 2 dt 2 lc rgb '{}' title 'tolerance'", *tolerance, colour(1));
  return Chart{script + "\n"};
}

std::optional<Chart> change_chart(const Curve& curve, const std::string& along, const std::string& name, double start) {
  std::vector<Sample> samples = curve.samples();
  if (samples.size() < 2) return std::nullopt;
  for (Sample& sample : samples) sample.y -= start;
  std::string script = block_of(samples) + "set format y '%.1e'\nunset key\n";
  if (std::ranges::all_of(samples, [](const Sample& sample) { return sample.y == 0.0; }))
    script += "set yrange [-1:1]\n";
  script += "set xlabel " + quoted(along) + " noenhanced\nset ylabel " + quoted("change of " + name) + " noenhanced\n";
  script += fmt::format("plot $d with {} lw 2 lc rgb '{}'\n", lines_or_points(samples), colour(0));
  return Chart{script};
}

std::optional<Chart> bar_chart(const Bars& bars, const std::string& axis) {
  double most = 0.0;
  for (const auto& [name, value] : bars) most = std::max(most, value);
  if (!(most > 0.0) || !std::isfinite(most)) return std::nullopt;
  std::string script = "$d << EOD\n";
  std::string names;
  for (std::size_t k = 0; k < bars.size(); ++k) {
    script += fmt::format("{} {}\n", bars[k].second, k);
    names += fmt::format("{}{} {}", k > 0 ? ", " : "", quoted(bars[k].first, 24), k);
  }
  script += "EOD\nunset key\nset grid noytics\nset border 1\nset ytics scale 0 noenhanced (" + names + ")\n";
  script += fmt::format("set yrange [{}:-0.6]\nset xrange [0:{}]\nset xlabel {} noenhanced\n",
                        static_cast<double>(bars.size()) - 0.4, 1.18 * most, quoted(axis));
  script += ticks("x", 0.0, 1.18 * most, 5.0);
  script += fmt::format(
      "plot $d using (0):2:(0):1:($2-0.32):($2+0.32) with boxxyerror fs solid 1 noborder lc rgb '{}', \\\n"
      " $d using 1:2:(sprintf('%.3g', $1)) with labels left offset 0.4,0 noenhanced textcolor rgb '#374151'\n",
      colour(0));
  return Chart{script, {}, Chart().width, static_cast<int>(90 + 34 * std::min<std::size_t>(bars.size(), 40))};
}

std::optional<Chart> roofline_chart(const std::vector<RooflinePoint>& points, double copy, double triad) {
  std::vector<RooflinePoint> shown = points;
  std::erase_if(shown, [](const RooflinePoint& point) {
    return !(point.intensity > 0.0) || !(point.rate > 0.0) || !std::isfinite(point.intensity + point.rate);
  });
  if (shown.empty()) return std::nullopt;
  const auto [left, right] = std::ranges::minmax(shown, {}, &RooflinePoint::intensity);
  const auto [low, high] = std::ranges::minmax(shown, {}, &RooflinePoint::rate);
  const double x0 = left.intensity / 4.0;
  const double x1 = right.intensity * 4.0;
  const double roof = std::max(copy, triad);
  std::string script = log_axis('x', x0, x1, false) + log_axis('y', low.rate / 2.0, std::max(high.rate, roof * x1));
  script += "set xlabel 'FLOP a byte'\nset ylabel 'GFLOP/s'\n";
  script += "set key below left Left reverse maxcols 1 width -2 height 0.8 samplen 2\nplot ";
  std::string separator;
  const auto add = [&](const std::string& text) {
    script += separator + text;
    separator = ", \\\n ";
  };
  if (triad > 0.0) add(fmt::format("{} * x with lines lw 2 lc rgb '#374151' title 'triad, {:.4g} GB/s'", triad, triad));
  if (copy > 0.0)
    add(fmt::format("{} * x with lines lw 2 dt 2 lc rgb '#374151' title 'copy, {:.4g} GB/s'", copy, copy));
  for (std::size_t k = 0; k < shown.size(); ++k)
    add(fmt::format("'+' using ({}):({}) every ::0::0 with points pt {} ps 1.1 lc rgb '{}' title {}",
                    shown[k].intensity, shown[k].rate, marks.at(k % marks.size()), colour(k),
                    quoted(shown[k].name, 24)));
  const std::size_t entries =
      shown.size() + static_cast<std::size_t>(triad > 0.0) + static_cast<std::size_t>(copy > 0.0);
  return Chart{script + "\n", {}, Chart().width, static_cast<int>(290 + 19 * std::min<std::size_t>(entries, 40))};
}

std::optional<Chart> convergence_chart(const std::vector<ErrorCurve>& curves, std::optional<double> order) {
  double low = INFINITY;
  double high = 0.0;
  std::size_t levels = 0;
  std::string script;
  std::string plots;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    script += fmt::format("$c{} << EOD\n", k);
    std::size_t count = 0;
    for (std::size_t level = 0; level < curves[k].errors.size(); ++level) {
      const double error = curves[k].errors[level].value_or(0.0);
      if (!(error > 0.0) || !std::isfinite(error)) continue;
      script += fmt::format("{} {}\n", std::ldexp(1.0, -static_cast<int>(level)), error);
      low = std::min(low, error);
      high = std::max(high, error);
      levels = std::max(levels, level + 1);
      ++count;
    }
    script += "EOD\n";
    if (count > 0)
      plots +=
          fmt::format("{}$c{} with linespoints lw 2 pt {} ps 0.9 lc rgb '{}' title {}", plots.empty() ? "" : ", \\\n ",
                      k, marks.at(k % marks.size()), colour(k), quoted(curves[k].name));
  }
  if (levels < 2) return std::nullopt;
  const double finest = std::ldexp(1.0, -static_cast<int>(levels - 1));
  if (order && *order > 0.0) {
    const double at_one = 0.5 * low * std::pow(1.0 / finest, *order);
    low *= 0.5;
    high = std::max(high, at_one);
    plots += fmt::format(", \\\n {} * x**{} with lines lw 1.5 dt 2 lc rgb '#374151' title 'slope {:.3g}'", at_one,
                         *order, *order);
  }
  std::string ticks;
  for (std::size_t level = 0; level < levels; ++level)
    ticks += fmt::format("{}'{}' {}", level > 0 ? ", " : "", level == 0 ? "1" : fmt::format("1/{}", 1ULL << level),
                         std::ldexp(1.0, -static_cast<int>(level)));
  script += log_axis('y', low, high);
  script += fmt::format("set logscale x 2\nset xrange [{}:{}]\nset xtics ({})\n", 0.8 * finest, 1.25, ticks);
  script +=
      "set xlabel 'mesh width h, of level 0 = 1'\nset ylabel 'error'\nset key below samplen 2 width -1 height "
      "0.8\nplot " +
      plots;
  return Chart{script + "\n", {}, Chart().width, 340};
}

std::optional<Range> range_of(const Raster& raster) {
  std::optional<Range> range;
  for (const float value : raster.values) {
    if (!std::isfinite(value)) continue;
    const auto wide = static_cast<double>(value);
    range = range ? Range{std::min(range->low, wide), std::max(range->high, wide)} : Range{wide, wide};
  }
  return range;
}

std::optional<Chart> picture_chart(const std::string& name, const Raster& raster, bool error) {
  const std::optional<Range> values = range_of(raster);
  if (!values) return std::nullopt;
  double low = values->low;
  double high = values->high;
  const double largest = std::max({std::abs(low), std::abs(high), 1e-30});
  if (error) {
    low = -largest;
    high = largest;
  } else if (!(high - low > 1e-6 * largest)) {  // a constant in 32 bits: colours need a width
    const double middle = 0.5 * (low + high);
    low = middle - 1e-3 * largest;
    high = middle + 1e-3 * largest;
  }
  // As many digits as tell neighbouring ticks apart.
  const double digits = std::clamp(std::ceil(std::log10(largest / (high - low))) + 2.0, 3.0, 12.0);
  const double width = raster.x1 - raster.x0;
  const double height = raster.y1 - raster.y0;
  const double ratio = static_cast<double>(raster.rows) / static_cast<double>(raster.columns);
  std::string script =
      error ? "set palette defined (0 '#2166ac', 1 '#67a9cf', 2 '#f7f7f7', 3 '#ef8a62', 4 '#b2182b')\n"
            : "set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', "
              "6 '#5ec962', 7 '#addc30', 8 '#fde725')\n";
  script +=
      fmt::format("set size ratio {}\nset border 15\nunset grid\nunset key\nset xrange [{}:{}]\nset yrange [{}:{}]\n",
                  ratio, raster.x0, raster.x1, raster.y0, raster.y1);
  script += fmt::format("set cbrange [{}:{}]\nset format cb '{}'\n", low, high,
                        error ? "%.1e" : fmt::format("%.{}g", static_cast<int>(digits)));
  script += ticks("x", raster.x0, raster.x1, ratio > 1.5 ? 2.0 : 4.0) +
            ticks("y", raster.y0, raster.y1, ratio < 0.4 ? 2.0 : 4.0) + ticks("cb", low, high, ratio < 0.5 ? 3.0 : 6.0);
  // Labels at places of their own: gnuplot would drop them beyond the long numbers of an axis.
  script += fmt::format(
      "set xlabel 'x'\nset label 'y' at screen 0.03, graph 0.5 center\n"
      "set label {} at screen {}, graph 0.5 center rotate noenhanced\n"
      "set lmargin at screen 0.16\nset rmargin at screen {}\nset tmargin 1\n",
      quoted(error ? "error of " + name : name, 20), error || digits > 4.0 ? 0.97 : 0.91, digits > 5.0 ? 0.64 : 0.71);
  script += fmt::format("plot 'image.raw' binary array=({},{}) format='%float' origin=({},{}) dx={} dy={} with image\n",
                        raster.columns, raster.rows, raster.middle(0, 0).x, raster.middle(0, 0).y,
                        width / static_cast<double>(raster.columns), height / static_cast<double>(raster.rows));
  return Chart{script, raster.values, Chart().width,
               static_cast<int>(std::lround(std::clamp(85.0 + 222.0 * ratio, 140.0, 520.0)))};
}

}  // namespace quoin
