#include <fmt/format.h>

#include <algorithm>

#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

std::string not_finite(const Curve& curve) {
  return curve.not_finite() == 0 ? "" : fmt::format(" {} values that are not finite are left out.", curve.not_finite());
}

std::string roofline_caption(const Roof& roof) {
  if (!(roof.copy + roof.triad > 0.0))
    return "Kernels by their nominal work and memory traffic; the rates of the device's memory were not measured.";
  return fmt::format(
      "Roofline: kernels by their nominal work and memory traffic, under what this device's memory {} measured to do. "
      "What stays in caches goes above the memory's lines.",
      roof.multiply_add > 0.0 ? "and arithmetic were" : "was");
}

}  // namespace

std::string charts(const std::string& figures) { return "<div class=\"charts\">\n" + figures + "</div>\n"; }

std::string figure_of(Gnuplot& gnuplot, const std::optional<Chart>& chart, const std::string& caption,
                      const std::string& over) {
  if (!chart) return {};
  const std::string alt = chart->says.empty() ? caption : caption + " " + chart->says;
  if (const std::optional<std::string> svg = gnuplot.draw(*chart)) return html::figure(*svg, caption, alt, over);
  return gnuplot.absent() ? "" : html::note(caption + ": not drawn, for " + gnuplot.fault());
}

namespace {

/// ||b - A x|| at the end, of a run whose history has the recurrence's.
std::optional<Sample> measured_residual(const RunResults& run) {
  const auto at = number_at(run.summary, "/iterations");
  const auto norm = number_at(run.summary, "/residual");
  if (!at || !norm || !number_at(run.summary, "/residual_recurrence")) return std::nullopt;
  return Sample{*at, *norm};
}

}  // namespace

std::string history_section(const RunResults& run, Gnuplot& gnuplot) {
  if (!run.history)
    return html::section("history", "History",
                         html::note("There is no history.csv (output.history), or nothing in it yet."));
  const CsvCurves& history = *run.history;
  const std::string& along = history.columns[history.along];
  std::string figures;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < history.curves.size(); ++k) {
    const std::string& name = history.columns[history.along + 1 + k];
    const Curve& curve = history.curves[k];
    const double first = history.rows > 0 ? history.first[history.along + 1 + k] : 0.0;
    const double last = history.rows > 0 ? history.last[history.along + 1 + k] : 0.0;
    const bool residual = name == "residual";
    const std::optional<Chart> chart = residual
                                           ? residual_chart(curve, along, tolerance_of(run), measured_residual(run))
                                           : change_chart(curve, along, name, first);
    figures += figure_of(gnuplot, chart,
                         (residual ? "The residual norm by " + along
                                   : fmt::format("How far {} went from {:.8g}, by {}", name, first, along)) +
                             "." + not_finite(curve));
    rows.push_back({html::escaped(name), html::value(first), html::value(last), html::value(last - first)});
  }
  std::string content = charts(figures) + html::table("First and last row", {"", "first", "last", "change"}, rows);
  content += html::note(
      fmt::format("{} rows in history.csv{}.", history.rows,
                  history.unreadable > 0 ? fmt::format(", and {} that are no numbers", history.unreadable) : ""));
  return html::section("history", "History", content);
}

std::string kernels_section(const RunResults& run, Gnuplot& gnuplot) {
  Bars seconds;
  std::vector<RooflinePoint> points;
  std::vector<std::vector<std::string>> rows;
  bool ahead = false;
  for (const Json& kernel : list_at(run.summary, "kernels")) {
    const std::string name = text_at(kernel, "/name");
    const auto fact = [&kernel](const char* key) { return number_at(kernel, key).value_or(0.0); };
    const double time = fact("/seconds");
    const double flops = fact("/flops");
    const double bytes = fact("/bytes");
    seconds.emplace_back(name, time);
    if (time > 0.0 && bytes > 0.0) points.push_back({name, flops / bytes, flops / time / 1e9});
    ahead = ahead || fact("/roofline_bytes") > bytes;
    rows.push_back({html::escaped(name), html::cell(kernel, "/calls"), html::value(time),
                    html::value(fact("/calls") > 0.0 ? 1e6 * time / fact("/calls") : 0.0),
                    html::cell(kernel, "/gbytes_per_second"), html::cell(kernel, "/percent_of_copy"),
                    html::cell(kernel, "/percent_of_roofline"), html::value(time > 0.0 ? flops / time / 1e9 : 0.0)});
  }
  if (rows.empty())
    return html::section("kernels", "Kernels",
                         html::note("The times of the kernels are known once the run has ended."));
  const auto rate = [&run](const char* name) { return number_at(run.summary, name).value_or(0.0); };
  const Roof roof{rate("/copy_gbytes_per_second"), rate("/triad_gbytes_per_second"),
                  rate("/multiply_add_gflops_per_second")};
  std::string content = charts(figure_of(gnuplot, bar_chart(seconds, "seconds, by the device"), "Time by kernel.") +
                               figure_of(gnuplot, roofline_chart(points, roof), roofline_caption(roof)));
  content +=
      html::table("Kernels by their time",
                  {"kernel", "calls", "seconds", "µs a call", "GB/s", "% of copy", "% of roof", "GFLOP/s"}, rows);
  if (ahead)
    content += html::note(
        "% of roof is against one pass through memory for each sweep at the triad's rate; several sweeps in a pass may "
        "exceed it.");
  return html::section("kernels", "Kernels", content);
}

}  // namespace quoin
