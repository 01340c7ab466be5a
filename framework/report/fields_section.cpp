#include <fmt/format.h>

#include "report/html.hpp"
#include "report/sections.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// Each field beside its error.
std::string pictures(const Series& series, Gnuplot& gnuplot) {
  std::string figures;
  for (std::size_t k = 0; k < series.last.size(); ++k) {
    const FieldPicture& picture = series.last[k];
    if (const auto chart = picture_chart(picture.name, picture.field, false, series.ranges[k]))
      figures += figure_of(gnuplot, chart, caption_of(picture, picture.field), place_over(*chart, k));
    if (picture.error)
      figures += figure_of(gnuplot, picture_chart(picture.name, *picture.error, true),
                           caption_of(picture, *picture.error, true));
  }
  return charts(figures);
}

std::string extremes(const Frame& frame) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const Raster& raster) {
    const std::optional<Range> range = range_of(raster);
    rows.push_back({html::escaped(name), range ? html::value(range->low) : "not finite",
                    range ? html::value(range->high) : "not finite"});
  };
  for (const FieldPicture& picture : frame) {
    add(picture.name, picture.field);
    if (picture.error) add("error of " + picture.name, *picture.error);
  }
  return html::table("Least and greatest values, " + moment_of(frame.front()), {"field", "least", "greatest"}, rows);
}

/// What the values are, and of which of the frames.
std::string notes(const Series& series) {
  const FieldPicture& last = series.last.front();
  const Raster& points = series.points.back().front().field;
  const std::string many = fmt::format("{} × {} points", points.columns, points.rows);
  std::string text =
      last.file + (last.elements ? ": each cell's polynomial at the middles of the pixels in it, so that jumps show. "
                                   "Values at a point, and those of tables, are of the nearest of " +
                                       many + ", in 32 bits."
                                 : ": at each pixel the value of the nearest node. Values at a point, and those of "
                                   "tables, are of the nodes next to " +
                                       many + ", in 32 bits.");
  if (series.points.size() > 1) text += " Frames before the last are painted from these values.";
  if (series.points.size() > 1 && series.points.size() < series.frames)
    text += fmt::format(" {} of {} frames are shown, which bounds the page.", series.points.size(), series.frames);
  return html::note(text) + (series.objection.empty() ? "" : html::note(series.objection));
}

std::string markup_of(const Series& series, Gnuplot& gnuplot) {
  if (series.last.empty()) return html::note("The newest frame has no field.");
  return player(series) + pictures(series, gnuplot) + extremes(series.last) + reader(series) + cuts(series, gnuplot) +
         notes(series);
}

}  // namespace

std::string fields_section(const RunResults& run, Gnuplot& gnuplot) {
  std::string content;
  try {
    if (const std::vector<fs::path> files = frames_in(run.folder); !files.empty()) {
      content = markup_of(series_of(run, files, gnuplot.absent()), gnuplot);
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

}  // namespace quoin
