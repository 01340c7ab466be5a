#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

std::string changes_of(const Json& level) {
  std::string text;
  if (!level.contains("changes") || !level["changes"].is_object()) return text;
  for (const auto& [key, value] : level["changes"].items())
    text += (text.empty() ? "" : ", ") + key.substr(key.rfind('.') + 1) + ": " +
            (value.is_string() ? value.get<std::string>() : value.dump());
  return html::escaped(text);
}

struct Norm {
  const char* key;
  const char* name;
};
constexpr std::array norms{Norm{"l1", "L1"}, Norm{"l2", "L2"}, Norm{"linf", "L∞"}};

}  // namespace

std::string converge_sections(const Json& levels, std::optional<double> expected, Gnuplot& gnuplot) {
  std::vector<ErrorCurve> curves;
  for (const Norm& norm : norms) curves.push_back({norm.name, {}});
  std::vector<std::vector<std::string>> rows;
  for (const Json& level : levels) {
    std::vector<std::string> row{html::cell(level, "/level"), changes_of(level)};
    for (std::size_t k = 0; k < norms.size(); ++k) {
      curves[k].errors.push_back(number_at(level, fmt::format("/errors/{}", norms.at(k).key)));
      row.push_back(html::cell(level, fmt::format("/errors/{}", norms.at(k).key)));
      row.push_back(html::cell(level, fmt::format("/orders/{}", norms.at(k).key)));
    }
    row.push_back(html::cell(level, "/iterations"));
    row.push_back(html::cell(level, "/wall_seconds"));
    row.push_back(html::escaped(text_at(level, "/status")));
    rows.push_back(std::move(row));
  }
  const double reached = levels.empty() ? NAN : number_at(levels.back(), "/orders/l2").value_or(NAN);
  std::optional<double> slope = expected;
  if (!slope && std::isfinite(reached)) slope = std::round(reached);
  std::string content;
  if (std::isfinite(reached)) {
    const bool low = expected && reached < *expected;
    content += fmt::format("<p class=\"status {}\">Order of L2 between the two finest meshes: {}{}</p>\n",
                           low ? "failed" : "completed", html::value(reached),
                           expected ? fmt::format("; expected was {} at least", *expected) : "");
  }
  content += charts(figure_of(gnuplot, convergence_chart(curves, slope),
                              "Errors against the mesh width, both logarithmic, and how errors of that order fall."));
  content += html::table(
      "Errors and orders level by level",
      {"level", "mesh", "L1", "order", "L2", "order", "L∞", "order", "iterations", "seconds", "status"}, rows);
  return html::section("convergence", "Convergence", content);
}

std::string compare_sections(const Json& runs, Gnuplot& gnuplot) {
  Bars bars;
  std::vector<std::vector<std::string>> rows;
  std::string faults;
  for (const Json& run : runs) {
    const std::string requested = text_at(run, "/requested");
    if (const std::string fault = text_at(run, "/error"); !fault.empty()) {
      faults += html::note(requested + ": " + fault);
      rows.push_back({html::escaped(requested), "-", "-", "-", "-", "-", "no run"});
      continue;
    }
    bars.emplace_back(requested, number_at(run, "/us_per_iteration").value_or(0.0));
    const bool same = run.contains("same_bits") && run["same_bits"].is_boolean() && run["same_bits"].get<bool>();
    rows.push_back(
        {html::escaped(requested), html::escaped(text_at(run, "/device")), html::cell(run, "/us_per_iteration"),
         html::cell(run, "/speed_ratio"), html::cell(run, "/wall_seconds"),
         same ? "equal" : "off by " + html::cell(run, "/largest_difference"), html::escaped(text_at(run, "/status"))});
  }
  std::string content = charts(figure_of(gnuplot, bar_chart(bars, "µs an iteration or step"),
                                         "Kernel time of an iteration or a time step by backend: shorter is faster."));
  content += html::table("The backends side by side",
                         {"backend", "device", "µs an iteration", "speed", "seconds", "bits", "status"}, rows) +
             faults + html::note("Speeds, and whether bits are equal, are against the first backend that ran.");
  return html::section("backends", "Backends", content);
}

}  // namespace quoin
