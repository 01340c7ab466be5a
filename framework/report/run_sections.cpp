#include <fmt/format.h>

#include <algorithm>

#include "quoin/error.hpp"
#include "quoin/problem.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

std::string charts(const std::string& figures) { return "<div class=\"charts\">\n" + figures + "</div>\n"; }

std::string not_finite(const Curve& curve) {
  return curve.not_finite() == 0 ? "" : fmt::format(" {} values that are not finite are left out.", curve.not_finite());
}

ExactOf exact_of(const RunResults& run) {
  return [&run](const std::string& field, Point extent) -> ExactField {
    if (!run.the_case) return nullptr;
    const ProblemType& type = problem_type(run.the_case->text("problem.type"));
    return type.exact == nullptr ? nullptr : type.exact(*run.the_case, field, extent);
  };
}

std::string picture_caption(const FieldPicture& picture, const Raster& raster, bool error) {
  const std::optional<Range> range = range_of(raster);
  if (!range) return picture.name + ": no value is finite";
  std::string text = error ? fmt::format("{} minus the exact solution", picture.name) : picture.name;
  if (picture.time) text += fmt::format(" at t = {:.6g}", *picture.time);
  text += fmt::format(": from {:.5g} to {:.5g}", range->low, range->high);
  if (!raster.to_scale()) text += "; not to scale";
  return text;
}

std::string pictures(const RunResults& run, const fs::path& file, Gnuplot& gnuplot) {
  std::string figures;
  std::vector<FieldPicture> all;
  std::string objection;
  try {
    all = pictures_of(file, exact_of(run));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::case_file) throw;
    objection = std::string("There is no error map: the exact solution cannot be evaluated. ") + error.what();
    all = pictures_of(file, [](const std::string&, Point) -> ExactField { return nullptr; });
  }
  std::vector<std::vector<std::string>> rows;
  for (const FieldPicture& picture : all) {
    figures += figure_of(gnuplot, picture_chart(picture.name, picture.field, false),
                         picture_caption(picture, picture.field, false));
    if (picture.error)
      figures += figure_of(gnuplot, picture_chart(picture.name, *picture.error, true),
                           picture_caption(picture, *picture.error, true));
    const auto row = [&](const std::string& name, const Raster& raster) {
      const std::optional<Range> range = range_of(raster);
      rows.push_back({html::escaped(name), range ? html::value(range->low) : "not finite",
                      range ? html::value(range->high) : "not finite"});
    };
    row(picture.name, picture.field);
    if (picture.error) row("error of " + picture.name, *picture.error);
  }
  const bool elements = !all.empty() && all.front().elements;
  std::string text = charts(figures) + html::table({"", "least", "greatest"}, rows);
  if (!objection.empty()) text += html::note(objection);
  return text +
         html::note(file.filename().string() +
                    (elements ? ": each cell's polynomial at the middles of the pixels in it, so that jumps show."
                              : ": at each pixel the value of the nearest node."));
}

}  // namespace

std::string figure_of(Gnuplot& gnuplot, const std::optional<Chart>& chart, const std::string& caption) {
  if (!chart) return {};
  if (const std::optional<std::string> svg = gnuplot.draw(*chart)) return html::figure(*svg, caption);
  return gnuplot.absent() ? "" : html::note(caption + ": not drawn, for " + gnuplot.fault());
}

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
    const std::optional<Chart> chart =
        residual ? residual_chart(curve, along, tolerance_of(run)) : change_chart(curve, along, name, first);
    figures += figure_of(gnuplot, chart,
                         (residual ? "The residual norm by " + along
                                   : fmt::format("How far {} went from {:.8g}, by {}", name, first, along)) +
                             "." + not_finite(curve));
    rows.push_back({html::escaped(name), html::value(first), html::value(last), html::value(last - first)});
  }
  std::string content = charts(figures) + html::table({"", "first", "last", "change"}, rows);
  content += html::note(
      fmt::format("{} rows in history.csv{}.", history.rows,
                  history.unreadable > 0 ? fmt::format(", and {} that are no numbers", history.unreadable) : ""));
  return html::section("history", "History", content);
}

std::string fields_section(const RunResults& run, Gnuplot& gnuplot) {
  std::string content;
  try {
    if (const std::optional<fs::path> file = newest_fields(run.folder)) {
      content = pictures(run, *file, gnuplot);
    } else {
      const bool off = run.the_case && !run.the_case->boolean("output.fields.write");
      content = html::note(off ? "The fields were not written: output.fields.write is false."
                               : "No fields were written: they come at the end of a run, and at its frames "
                                 "(output.fields.every).");
    }
  } catch (const std::exception& error) {
    content = html::note(std::string("The fields cannot be shown: ") + error.what());
  }
  if (!run.the_case && !run.case_fault.empty())
    content += html::note("Without a case that can be read there is no exact solution. " + run.case_fault);
  return html::section("fields", "Fields", content);
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
  const double copy = number_at(run.summary, "/copy_gbytes_per_second").value_or(0.0);
  const double triad = number_at(run.summary, "/triad_gbytes_per_second").value_or(0.0);
  std::string content = charts(
      figure_of(gnuplot, bar_chart(seconds, "seconds, by the device"), "Time by kernel.") +
      figure_of(gnuplot, roofline_chart(points, copy, triad),
                copy + triad > 0.0 ? "Roofline: kernels by their nominal work and memory traffic, under what this "
                                     "device's memory was measured to do. What stays in caches goes above."
                                   : "Kernels by their nominal work and memory traffic; the rates of the "
                                     "device's memory were not measured."));
  content +=
      html::table({"kernel", "calls", "seconds", "µs a call", "GB/s", "% of copy", "% of roof", "GFLOP/s"}, rows);
  if (ahead)
    content += html::note(
        "% of roof is against one pass through memory for each sweep at the triad's rate; several sweeps in a pass may "
        "exceed it.");
  return html::section("kernels", "Kernels", content);
}

}  // namespace quoin
