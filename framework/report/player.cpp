// What stays of the fields in the page for its script: their values at points, frame after frame, and the controls.

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

Json json_of(const Frame& frame) {
  Json json{{"at", frame.empty() ? "" : moment_of(frame.front())}};
  for (const FieldPicture& picture : frame) {
    json["captions"].push_back(caption_of(picture, picture.field));
    json["values"].push_back(html::numbers(picture.field.values));
  }
  return json;
}

Json json_of(const Series& series) {
  const Frame& last = series.points.back();
  Json json{{"x", last.front().field.x}, {"y", last.front().field.y}, {"palette", palette}};
  for (std::size_t k = 0; k < last.size(); ++k) {
    const Range colours = colours_over(series.ranges[k].value_or(Range{0.0, 0.0}));
    json["fields"].push_back(last[k].name);
    json["ranges"].push_back({colours.low, colours.high});
  }
  for (const Frame& frame : series.points) json["frames"].push_back(json_of(frame));
  // Seen before the script has come: as its figures tell it, of all pixels.
  for (std::size_t k = 0; k < last.size(); ++k)
    json["frames"].back()["captions"][k] = caption_of(series.last[k], series.last[k].field);
  return json;
}

std::string slider(const std::string& id, const std::string& label, std::size_t count, std::size_t at) {
  return fmt::format("<label{}>{} <input type=\"range\" id=\"{}\" min=\"0\" max=\"{}\" value=\"{}\"></label>\n",
                     count == 1 ? " hidden" : "", label, id, count - 1, at);
}

}  // namespace

std::string place_over(const Chart& chart, std::size_t field) {
  if (!chart.box) return {};
  const auto percent = [](double part, int whole) { return 100.0 * part / whole; };
  return fmt::format("<div data-field=\"{}\" style=\"left:{:.3f}%;top:{:.3f}%;width:{:.3f}%;height:{:.3f}%\"></div>",
                     field, percent(chart.box->left, chart.width), percent(chart.box->top, chart.height),
                     percent(chart.box->width, chart.width), percent(chart.box->height, chart.height));
}

std::string player(const Series& series) {
  const std::size_t frames = series.points.size();
  return "<div class=\"player\" id=\"player\" role=\"group\" aria-label=\"Frames\" hidden>\n"
         "<button type=\"button\" id=\"play\">Play</button>\n"
         "<button type=\"button\" id=\"back\" aria-label=\"One frame back\">‹</button>\n"
         "<button type=\"button\" id=\"on\" aria-label=\"One frame on\">›</button>\n" +
         slider("frame", "Frame", frames, frames - 1) + "<span id=\"time\"></span></div>\n";
}

std::string reader(const Series& series) {
  const Raster& points = series.points.back().front().field;
  return "<div id=\"reader\" hidden>\n<h3>Values at a point</h3>\n<div class=\"player\">\n" +
         slider("pick-x", "x", points.columns, points.columns / 2) +
         slider("pick-y", "y", points.rows, points.rows / 2) +
         "</div>\n<p><output id=\"value\" for=\"pick-x pick-y\"></output></p>\n" +
         (points.line() ? "" : html::note("The ring in the pictures is there. A press on one of them moves it, too.")) +
         "</div>\n" + html::data("field-data", json_of(series));
}

}  // namespace quoin
