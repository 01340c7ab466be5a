// Fields along the middle lines of the domain.

#include <fmt/format.h>

#include <algorithm>

#include "report/html.hpp"
#include "report/samples.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

constexpr std::size_t max_moments = 6;  // in one chart, which people still tell apart
constexpr std::size_t max_rows = 17;    // of a table

/// The middle row of a raster, or its middle column: where along it, and which values.
struct Cut {
  const std::vector<double>& places;
  std::size_t first;
  std::size_t stride;

  Cut(const Raster& raster, bool across)
      : places(across ? raster.x : raster.y),
        first(across ? raster.rows / 2 * raster.columns : raster.columns / 2),
        stride(across ? 1 : raster.columns) {}
  [[nodiscard]] std::size_t at(std::size_t k) const { return first + k * stride; }
  /// The places that differ: several pixels may have one node.
  [[nodiscard]] std::vector<std::size_t> distinct() const {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < places.size(); ++k)
      if (list.empty() || places[k] != places[list.back()]) list.push_back(k);
    return list;
  }
};

std::vector<Sample> samples_along(const Raster& raster, bool across, const Raster* less = nullptr) {
  const Cut cut(raster, across);
  std::vector<Sample> samples;
  for (const std::size_t k : cut.distinct())
    samples.push_back({cut.places[k], static_cast<double>(raster.values[cut.at(k)]) -
                                          (less == nullptr ? 0.0 : static_cast<double>(less->values[cut.at(k)]))});
  return samples;
}

/// `along y = 0.5`
std::string line_of(const Raster& raster, bool across) {
  return fmt::format("along {} = {:.6g}", across ? 'y' : 'x',
                     across ? raster.y[raster.rows / 2] : raster.x[raster.columns / 2]);
}

std::string figure_along(const Series& series, std::size_t field, bool across, Gnuplot& gnuplot) {
  const FieldPicture& last = series.last[field];
  const bool alone = series.points.size() == 1;
  Lines curves;
  for (const std::size_t k : spread_over(series.points.size(), max_moments)) {
    const FieldPicture& picture = series.points[k][field];
    const bool is_last = k + 1 == series.points.size();
    curves.emplace_back(alone ? last.name : moment_of(picture),
                        samples_along(is_last ? last.field : picture.field, across));
  }
  if (last.error)
    curves.emplace_back("exact" + (alone ? "" : ", " + moment_of(last)),
                        samples_along(last.field, across, &*last.error));
  return figure_of(gnuplot, curves_chart(curves, across ? "x" : "y", last.name),
                   fmt::format("{} {}.", last.name, line_of(last.field, across)));
}

std::string table_along(const Frame& frame, bool across) {
  const Raster& points = frame.front().field;
  const Cut cut(points, across);
  const std::vector<std::size_t> places = cut.distinct();
  if (places.size() < 2) return {};
  std::vector<std::string> heads{across ? "x" : "y"};
  for (const FieldPicture& picture : frame) heads.push_back(picture.name);
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t k : spread_over(places.size(), max_rows)) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(html::value(cut.places[places[k]]));
    for (const FieldPicture& picture : frame)
      row.push_back(html::value(static_cast<double>(picture.field.values[cut.at(places[k])])));
  }
  const std::string title = fmt::format("Values {}, {}", line_of(points, across), moment_of(frame.front()));
  return html::details(title, html::table(title, heads, rows));
}

}  // namespace

std::string cuts(const Series& series, Gnuplot& gnuplot) {
  std::string figures;
  std::string tables;
  for (std::size_t field = 0; field < series.last.size(); ++field)
    for (const bool across : {true, false}) figures += figure_along(series, field, across, gnuplot);
  for (const bool across : {true, false}) tables += table_along(series.points.back(), across);
  return "<h3>Along the middle lines</h3>\n" + charts(figures) + tables;
}

}  // namespace quoin
