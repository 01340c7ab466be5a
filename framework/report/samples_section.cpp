#include <fmt/format.h>

#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/samples.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

constexpr std::size_t max_lines = 6;  // each has some charts, and a page its bounds

std::string charts_of(const Samples& samples, const std::string& title, const std::string& where, Gnuplot& gnuplot) {
  std::string figures;
  for (const Samples::Quantity& quantity : samples.quantities) {
    Lines lines;
    for (const auto& [name, curve] : quantity.curves) lines.emplace_back(name, curve.samples());
    figures += figure_of(gnuplot, curves_chart(lines, samples.along, quantity.name),
                         fmt::format("{} {}, by {}.", quantity.name, where, samples.along));
  }
  if (figures.empty()) return {};
  return "<h3>" + html::escaped(title) + "</h3>\n" + charts(figures);
}

}  // namespace

std::string samples_section(const RunResults& run, Gnuplot& gnuplot) {
  std::string content;
  const Samples probes = probes_in(run.folder);
  content += charts_of(probes, "Probes", "at the probes", gnuplot);
  if (probes.left_out > 0) content += html::note(fmt::format("{} more probes are in probes.csv.", probes.left_out));
  const std::vector<LineFiles> lines = lines_in(run.folder);
  for (std::size_t k = 0; k < std::min(lines.size(), max_lines); ++k) {
    const Samples profiles = profiles_of(lines[k]);
    content += charts_of(profiles, "Line " + lines[k].name, "along the line " + lines[k].name, gnuplot);
    if (profiles.left_out > 0)
      content +=
          html::note(fmt::format("{} more moments are in the files {}-*.csv.", profiles.left_out, lines[k].name));
  }
  if (lines.size() > max_lines)
    content += html::note(fmt::format("{} more lines are not drawn.", lines.size() - max_lines));
  if (content.empty()) return {};
  return html::section("samples", "Probes and lines", content);
}

}  // namespace quoin
