#include "report/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/axes.hpp"
#include "report/theme.hpp"

namespace quoin {
namespace {

constexpr std::array marks{7, 5, 9, 13, 11, 6, 4, 8};

const char* colour(std::size_t k) { return theme::series.at(k % theme::series.size()).light; }
int mark(std::size_t k) { return marks.at(k % marks.size()); }

// Pixels along the axes of a chart, about.
constexpr double plot_width = 270.0;
constexpr double plot_height = 190.0;

std::string block_of(const std::vector<Sample>& samples) {
  std::string text = "$d << EOD\n";
  for (const Sample& sample : samples) text += fmt::format("{} {}\n", sample.x, sample.y);
  return text + "EOD\n";
}

/// Axes around the samples, with room where they are constant.
std::string axes_of(const std::vector<Sample>& samples) {
  const auto [left, right] = std::ranges::minmax(samples, {}, &Sample::x);
  const auto [least, greatest] = std::ranges::minmax(samples, {}, &Sample::y);
  const double largest = std::max(std::abs(least.y), std::abs(greatest.y));
  const double room = greatest.y - least.y > 1e-12 * largest ? 0.0 : largest > 0.0 ? 0.1 * largest : 1.0;
  return linear_axis("x", left.x, right.x, plot_width) +
         linear_axis("y", least.y - room, greatest.y + room, plot_height, /*round=*/true);
}

std::string lines_or_points(const std::vector<Sample>& samples) {
  return samples.size() > 30 ? "lines" : "linespoints pt 7 ps 0.5";
}

std::string ends_in_words(const std::vector<Sample>& samples) {
  return fmt::format("from {:.5g} at {:.5g} to {:.5g} at {:.5g}", samples.front().y, samples.front().x,
                     samples.back().y, samples.back().x);
}

/// `a: from ... to ..., least ..., greatest ...;`
std::string curve_in_words(const std::string& name, const std::vector<Sample>& samples) {
  const auto [least, greatest] = std::ranges::minmax(samples, {}, &Sample::y);
  return fmt::format("{}: {}, least {:.5g} at {:.5g}, greatest {:.5g} at {:.5g}; ", name, ends_in_words(samples),
                     least.y, least.x, greatest.y, greatest.x);
}

/// With marks where they do not hide the line.
std::string curve_of(const std::string& block, std::size_t samples, std::size_t k) {
  return fmt::format("${} with linespoints pt {} ps 0.7 pn {} lw 2 lc rgb '{}'", block, mark(k),
                     std::min<std::size_t>(samples, 8), colour(k));
}

std::string labels(const std::string& along, const std::string& name) {
  return "set xlabel " + quoted(along) + " noenhanced\nset ylabel " + quoted(name) + " noenhanced\n";
}

/// Lines as blocks of data, how they are plotted, and all samples of them that are finite.
struct Drawn {
  std::string blocks, plots, says;
  std::vector<Sample> samples;
};

/// A line breaks where it is not finite. `style` makes what plots a block of so many samples as line k.
template <class Style>
Drawn draw(const Lines& lines, const std::string& name, const Style& style) {
  Drawn drawn;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto& [title, samples] = lines[k];
    std::vector<Sample> finite;
    drawn.blocks += fmt::format("$c{} << EOD\n", k);
    for (const Sample& sample : samples) {
      const bool seen = std::isfinite(sample.y);
      drawn.blocks += seen ? fmt::format("{} {}\n", sample.x, sample.y) : "\n";
      if (seen) finite.push_back(sample);
    }
    drawn.blocks += "EOD\n";
    if (finite.empty()) continue;
    drawn.samples.insert(drawn.samples.end(), finite.begin(), finite.end());
    drawn.says += curve_in_words(title.empty() ? name : title, finite);
    drawn.plots += fmt::format("{}{} title {}", drawn.plots.empty() ? "" : ", \\\n ",
                               style(fmt::format("c{}", k), finite.size(), k), quoted(title, 24));
  }
  return drawn;
}

double largest_of(Range range) { return std::max({std::abs(range.low), std::abs(range.high), 1e-30}); }

}  // namespace

std::optional<Chart> residual_chart(const Curve& curve, const std::string& along, std::optional<double> tolerance,
                                    std::optional<Sample> measured) {
  std::vector<Sample> samples = curve.samples();
  std::erase_if(samples, [](const Sample& sample) { return !(sample.y > 0.0); });  // a logarithm of 0 has no place
  if (samples.size() < 2) return std::nullopt;
  const auto [least, greatest] = std::ranges::minmax(samples, {}, &Sample::y);
  const bool line = tolerance && *tolerance > 0.0;
  const bool point = measured && measured->y > 0.0 && std::isfinite(measured->y);
  double low = least.y;
  double high = greatest.y;
  for (const double other : {line ? *tolerance : low, point ? measured->y : low}) {
    low = std::min(low, other);
    high = std::max(high, other);
  }
  std::string script = block_of(samples) + log_axis("y", low, high, plot_height);
  const double end = samples.back().x > 0.0 ? samples.back().x : 1.0;
  script += linear_axis("x", 0.0, end, plot_width);
  script += "set xlabel " + quoted(along) + " noenhanced\nset ylabel 'residual norm'\n";
  script += fmt::format("set key below samplen 2 height 0.8\nplot $d with {} lw 2 lc rgb '{}' title 'residual'",
                        lines_or_points(samples), colour(0));
  if (line) script += fmt::format(", {} with lines lw 2 dt 2 lc rgb '{}' title 'tolerance'", *tolerance, colour(1));
  if (point)
    script += fmt::format(", '+' using ({}):({}) every ::::0 with points pt 6 ps 1 lw 2 lc rgb '{}' title 'b - A x'",
                          std::min(measured->x, end), measured->y, colour(2));
  Chart chart{script + "\n"};
  chart.says = "It goes " + ends_in_words(samples);
  if (line) chart.says += fmt::format("; the tolerance is {:.5g}", *tolerance);
  if (point) chart.says += fmt::format("; b - A x is {:.5g}", measured->y);
  return chart;
}

std::optional<Chart> change_chart(const Curve& curve, const std::string& along, const std::string& name, double start) {
  std::vector<Sample> samples = curve.samples();
  if (samples.size() < 2) return std::nullopt;
  for (Sample& sample : samples) sample.y -= start;
  std::string script = block_of(samples) + axes_of(samples) + "unset key\n";
  script += labels(along, "change of " + name);
  script += fmt::format("plot $d with {} lw 2 lc rgb '{}'\n", lines_or_points(samples), colour(0));
  Chart chart{script};
  chart.says = curve_in_words("The change", samples);
  return chart;
}

std::optional<Chart> curves_chart(const Lines& curves, const std::string& along, const std::string& name) {
  const Drawn drawn = draw(curves, name, curve_of);
  if (drawn.samples.size() < 2) return std::nullopt;
  const std::string script = drawn.blocks + axes_of(drawn.samples) + "set key below samplen 2 width -1 height 0.8\n" +
                             labels(along, name) + "plot " + drawn.plots;
  const std::size_t rows = (std::min<std::size_t>(curves.size(), 40) + 1) / 2;
  return Chart{script + "\n", {}, Chart().width, static_cast<int>(290 + 19 * rows), drawn.says};
}

std::optional<Chart> lines_chart(const Lines& lines, const std::string& along, const std::string& name) {
  const auto marked = [](const std::string& block, std::size_t /*samples*/, std::size_t k) {
    return fmt::format("${} with linespoints pt {} ps 0.9 lw 2 lc rgb '{}'", block, mark(k), colour(k));
  };
  const Drawn drawn = draw(lines, name, marked);
  const std::vector<Sample>& all = drawn.samples;
  if (all.size() < 2) return std::nullopt;
  const auto [left, right] = std::ranges::minmax(all, {}, &Sample::x);
  if (left.x == right.x) return std::nullopt;
  const auto [least, greatest] = std::ranges::minmax(all, {}, &Sample::y);
  std::string script = drawn.blocks;
  constexpr double far = 8.0;
  const auto reaches_far = [](double low, double high) { return low > 0.0 && high >= far * low; };
  if (reaches_far(least.y, greatest.y)) {
    const bool far_too = reaches_far(left.x, right.x);
    script += far_too ? log_axis("x", left.x, right.x, plot_width) : linear_axis("x", left.x, right.x, plot_width);
    script += log_axis("y", least.y, greatest.y, plot_height);
  } else {
    script += axes_of(all);
    if (reaches_far(left.x, right.x)) script += log_axis("x", left.x, right.x, plot_width);
  }
  script += lines.size() > 1 ? "set key below samplen 2 width -1 height 0.8\n" : "unset key\n";
  script += labels(along, name) + "plot " + drawn.plots;
  const std::size_t rows = lines.size() > 1 ? (lines.size() + 1) / 2 : 0;
  return Chart{script + "\n", {}, Chart().width, static_cast<int>(290 + 19 * rows), drawn.says};
}

std::optional<Chart> bar_chart(const Bars& bars, const std::string& axis) {
  double most = 0.0;
  for (const auto& [name, value] : bars) most = std::max(most, value);
  if (!(most > 0.0) || !std::isfinite(most)) return std::nullopt;
  constexpr std::size_t longest_name = 24;  // letters
  std::string script = "$d << EOD\n";
  std::string names;
  std::string says = axis + ": ";
  std::size_t letters = 0;
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const auto& [name, value] = bars[k];
    script += fmt::format("{} {}\n", value, k);
    names += fmt::format("{}{} {}", k > 0 ? ", " : "", quoted(name, longest_name), k);
    says += fmt::format("{} {:.4g}; ", name, value);
    letters = std::max(letters, std::min(longest_name + 1, name.size()));
  }
  const double left = 20.0 + 7.5 * static_cast<double>(letters);
  constexpr double half_a_number = 28.0;  // of the axis, where it stands at the end
  const double across = Chart().width - half_a_number - left;
  const double end = most * across / (across - 76.0);  // a number stands behind the longest bar
  script += "EOD\nunset key\nset grid noytics\nset border 1\nset ytics scale 0 noenhanced (" + names + ")\n";
  script += fmt::format("set yrange [{}:-0.6]\nset xrange [0:{}]\nset xlabel {} noenhanced\n",
                        static_cast<double>(bars.size()) - 0.4, end, quoted(axis));
  script += fmt::format("set lmargin at screen {}\nset rmargin at screen {}\n", left / Chart().width,
                        (left + across) / Chart().width);
  script += linear_ticks("x", 0.0, end, across).commands;
  script += fmt::format(
      "plot $d using (0):2:(0):1:($2-0.32):($2+0.32) with boxxyerror fs solid 1 noborder lc rgb '{}', \\\n"
      " $d using 1:2:(sprintf($1 >= 1000 && $1 < 1e6 ? '%.0f' : '%.3g', $1)) with labels left offset 0.4,0 noenhanced "
      "textcolor rgb '{}'\n",
      colour(0), theme::ink.light);
  return Chart{script, {}, Chart().width, static_cast<int>(90 + 34 * std::min<std::size_t>(bars.size(), 40)), says};
}

std::optional<Chart> roofline_chart(const std::vector<RooflinePoint>& points, const Roof& roof) {
  std::vector<RooflinePoint> shown = points;
  std::erase_if(shown, [](const RooflinePoint& point) {
    return !(point.intensity > 0.0) || !(point.rate > 0.0) || !std::isfinite(point.intensity + point.rate);
  });
  if (shown.empty()) return std::nullopt;
  const auto [left, right] = std::ranges::minmax(shown, {}, &RooflinePoint::intensity);
  const auto [low, high] = std::ranges::minmax(shown, {}, &RooflinePoint::rate);
  const double memory = std::max(roof.copy, roof.triad);
  const bool bounded = roof.multiply_add > 0.0;
  const bool corner = bounded && memory > 0.0;  // where the ceiling meets the memory's line
  const double x0 = left.intensity / 4.0;
  const double x1 = std::max(right.intensity * 4.0, corner ? 4.0 * roof.multiply_add / memory : 0.0);
  const double top = std::max(high.rate, bounded ? roof.multiply_add : memory * x1);
  std::string script = log_axis("x", x0, x1, plot_width, false) + log_axis("y", low.rate / 2.0, top, plot_height);
  script += "set xlabel 'FLOP a byte'\nset ylabel 'GFLOP/s'\nset samples 400\n";
  script += "set key below left Left reverse maxcols 1 width -2 height 0.8 samplen 2\nplot ";
  std::string separator;
  std::size_t entries = shown.size();
  const auto add = [&](const std::string& text) {
    script += separator + text;
    separator = ", \\\n ";
  };
  const auto add_line = [&](const std::string& formula, const char* dashes, const std::string& title) {
    add(fmt::format("{} with lines lw 2 dt {} lc rgb '{}' title '{}'", formula, dashes, theme::ink.light, title));
    ++entries;
  };
  const auto add_memory = [&](double rate, const char* dashes, const char* name) {
    if (!(rate > 0.0)) return;
    const std::string end = bounded ? fmt::format("x > {} ? NaN : ", roof.multiply_add / rate) : "";
    add_line(fmt::format("{}{} * x", end, rate), dashes, fmt::format("{}, {:.4g} GB/s", name, rate));
  };
  if (bounded)
    add_line(corner ? fmt::format("x < {} ? NaN : {}", roof.multiply_add / memory, roof.multiply_add)
                    : fmt::format("{}", roof.multiply_add),
             "4", fmt::format("multiply-adds, {:.4g} GFLOP/s", roof.multiply_add));
  add_memory(roof.triad, "1", "triad");
  add_memory(roof.copy, "2", "copy");
  std::string says;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    add(fmt::format("'+' using ({}):({}) every ::0::0 with points pt {} ps 1.1 lc rgb '{}' title {}",
                    shown[k].intensity, shown[k].rate, mark(k), colour(k), quoted(shown[k].name, 24)));
    says += fmt::format("{}: {:.4g} GFLOP/s at {:.4g} FLOP a byte; ", shown[k].name, shown[k].rate, shown[k].intensity);
  }
  const int height = static_cast<int>(290 + 19 * std::min<std::size_t>(entries, 40));
  return Chart{script + "\n", {}, Chart().width, height, says};
}

std::optional<Chart> convergence_chart(const std::vector<ErrorCurve>& curves, std::optional<double> order) {
  double low = INFINITY;
  double high = 0.0;
  std::size_t levels = 0;
  std::string script;
  std::string plots;
  std::string says;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    script += fmt::format("$c{} << EOD\n", k);
    std::size_t count = 0;
    says += curves[k].name + ":";
    for (std::size_t level = 0; level < curves[k].errors.size(); ++level) {
      const double error = curves[k].errors[level].value_or(0.0);
      if (!(error > 0.0) || !std::isfinite(error)) continue;
      script += fmt::format("{} {}\n", std::ldexp(1.0, -static_cast<int>(level)), error);
      says += fmt::format(" {:.4g}", error);
      low = std::min(low, error);
      high = std::max(high, error);
      levels = std::max(levels, level + 1);
      ++count;
    }
    script += "EOD\n";
    says += "; ";
    if (count > 0)
      plots += fmt::format("{}$c{} with linespoints lw 2 pt {} ps 0.9 lc rgb '{}' title {}",
                           plots.empty() ? "" : ", \\\n ", k, mark(k), colour(k), quoted(curves[k].name));
  }
  if (levels < 2) return std::nullopt;
  const double finest = std::ldexp(1.0, -static_cast<int>(levels - 1));
  if (order && *order > 0.0) {
    const double at_one = 0.5 * low * std::pow(1.0 / finest, *order);
    low *= 0.5;
    high = std::max(high, at_one);
    plots += fmt::format(", \\\n {} * x**{} with lines lw 1.5 dt 2 lc rgb '{}' title 'slope {:.3g}'", at_one, *order,
                         theme::ink.light, *order);
  }
  std::string ticks;
  const std::size_t apart = (levels + 5) / 6;  // all of a dozen would not fit
  for (std::size_t level = 0; level < levels; level += apart)
    ticks += fmt::format("{}'{}' {}", level > 0 ? ", " : "", level == 0 ? "1" : fmt::format("1/{}", 1ULL << level),
                         std::ldexp(1.0, -static_cast<int>(level)));
  script += log_axis("y", low, high, plot_height);
  script += fmt::format("set logscale x 2\nset xrange [{}:{}]\nset xtics ({})\n", 0.8 * finest, 1.25, ticks);
  script +=
      "set xlabel 'mesh width h, of level 0 = 1'\nset ylabel 'error'\nset key below samplen 2 width -1 height "
      "0.8\nplot " +
      plots;
  return Chart{script + "\n", {}, Chart().width, 340, says};
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

Range colours_over(Range values) {
  const double largest = largest_of(values);
  if (values.high - values.low > 1e-6 * largest) return values;
  const double middle = 0.5 * (values.low + values.high);
  return {middle - 1e-3 * largest, middle + 1e-3 * largest};
}

std::optional<Chart> picture_chart(const std::string& name, const Raster& raster, bool error,
                                   std::optional<Range> range) {
  const std::optional<Range> values = range ? range : range_of(raster);
  if (!values || raster.line()) return std::nullopt;
  const double largest = largest_of(*values);
  const auto [low, high] = error ? Range{-largest, largest} : colours_over(*values);
  const double width = raster.x1 - raster.x0;
  const double height = raster.y1 - raster.y0;
  const double ratio = static_cast<double>(raster.rows) / static_cast<double>(raster.columns);
  std::string colours_at;
  for (std::size_t k = 0; k < palette.size(); ++k)
    colours_at += fmt::format("{}{} '{}'", k > 0 ? ", " : "", k, palette.at(k));
  std::string script = error ? "set palette defined (0 '#2166ac', 1 '#67a9cf', 2 '#f7f7f7', 3 '#ef8a62', 4 '#b2182b')\n"
                             : "set palette defined (" + colours_at + ")\n";
  script += fmt::format("set border 15\nunset grid\nunset key\nset xrange [{}:{}]\nset yrange [{}:{}]\n", raster.x0,
                        raster.x1, raster.y0, raster.y1);
  const double wide = std::min(210.0, 435.0 / ratio);  // about
  const Ticks beside = linear_ticks("y", raster.y0, raster.y1, wide * ratio);
  const Ticks colours = linear_ticks("cb", low, high, wide * ratio);
  script += fmt::format("set cbrange [{}:{}]\n", low, high) + colours.commands + beside.commands +
            linear_ticks("x", raster.x0, raster.x1, wide).commands;
  // Room for the long numbers of an axis. The names of axes are labels: gnuplot would drop its own where room is short.
  const auto room_for = [](std::size_t letters, std::size_t least) {
    return 8.0 * static_cast<double>(std::max(letters, least));
  };
  constexpr double above = 16.0;
  constexpr double below = 62.0;
  Chart::Box box{.left = 36.0 + room_for(beside.letters, 4), .top = above, .width = 0.0, .height = 0.0};
  box.width = std::min(Chart().width - 60.0 - room_for(colours.letters, 6) - box.left, 440.0 / ratio);
  box.height = box.width * ratio;
  const int tall = static_cast<int>(std::lround(above + box.height + below));
  script += fmt::format(
      "set label 'x' at graph 0.5, screen {} center\nset label 'y' at screen 0.03, graph 0.5 center\n"
      "set label {} at screen 0.97, graph 0.5 center rotate noenhanced\n"
      "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n",
      12.0 / tall, quoted(error ? "error of " + name : name, 20), box.left / Chart().width,
      (box.left + box.width) / Chart().width, 1.0 - box.top / tall, 1.0 - (box.top + box.height) / tall);
  script += fmt::format("plot 'image.raw' binary array=({},{}) format='%float' origin=({},{}) dx={} dy={} with image\n",
                        raster.columns, raster.rows, raster.middle(0, 0).x, raster.middle(0, 0).y,
                        width / static_cast<double>(raster.columns), height / static_cast<double>(raster.rows));
  return Chart{script, raster.values, Chart().width, tall, {}, box};
}

}  // namespace quoin
