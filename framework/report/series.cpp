#include "report/series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quoin/error.hpp"
#include "quoin/problem.hpp"
#include "report/samples.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

// What bounds a page with many frames, and the time that it takes: a value is 5.4 bytes of the page.
constexpr std::size_t max_values = 600'000;
constexpr std::uintmax_t max_bytes_read = 512U << 20U;

ExactOf exact_of(const RunResults& run) {
  return [&run](const std::string& field, Point extent) -> ExactField {
    if (!run.the_case) return nullptr;
    const ProblemType& type = problem_type(run.the_case->text("problem.type"));
    if (type.exact == nullptr) return nullptr;
    try {
      return type.exact(*run.the_case, field, extent);
    } catch (const Error& error) {  // such as a bed's file, which lies beside the case that was run
      if (error.kind() != ErrorKind::io) throw;
      throw Error(ErrorKind::case_file, error.where() + ": " + error.what());
    }
  };
}

ExactField without_exact(const std::string& /*field*/, Point /*extent*/) { return nullptr; }

Frame last_frame(const RunResults& run, const fs::path& file, std::string& objection) {
  try {
    return pictures_of(file, exact_of(run));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::case_file) throw;
    objection = std::string("There is no error map: the exact solution cannot be evaluated. ") + error.what();
    return pictures_of(file, without_exact);
  }
}

Frame at_points(const Frame& frame) {
  Frame points;
  for (const FieldPicture& picture : frame)
    points.push_back({picture.name, picture.file, picture.time, picture.elements, points_of(picture.field), {}});
  return points;
}

bool same_points(const Frame& a, const Frame& b) {
  return std::ranges::equal(a, b, [](const FieldPicture& one, const FieldPicture& other) {
    return one.name == other.name && one.field.x == other.field.x && one.field.y == other.field.y;
  });
}

/// Some frames before the last.
std::vector<Frame> earlier_frames(const std::vector<fs::path>& files, const Frame& last) {
  std::vector<Frame> frames;
  std::size_t values = 1;
  for (const FieldPicture& picture : last) values += picture.field.values.size();
  const std::size_t readable = max_bytes_read / std::max<std::uintmax_t>(fs::file_size(files.back()), 1);
  for (const std::size_t k : spread_over(files.size(), std::min(max_values / values, readable))) {
    if (k + 1 == files.size()) continue;
    try {
      Frame frame = pictures_of(files[k], without_exact, 1);
      if (same_points(frame, last)) frames.push_back(std::move(frame));
    } catch (const Error&) {  // a frame that a killed run did not finish is not missed among the others
    }
  }
  return frames;
}

void widen(std::vector<std::optional<Range>>& ranges, const Frame& frame) {
  for (std::size_t k = 0; k < frame.size(); ++k) {
    const std::optional<Range> more = range_of(frame[k].field);
    if (more && ranges[k]) ranges[k] = {std::min(ranges[k]->low, more->low), std::max(ranges[k]->high, more->high)};
    if (more && !ranges[k]) ranges[k] = more;
  }
}

}  // namespace

Series series_of(const RunResults& run, const std::vector<fs::path>& files, bool last_alone) {
  Series series;
  series.frames = files.size();
  series.last = last_frame(run, files.back(), series.objection);
  const Frame last = at_points(series.last);
  // A page that reloads itself would take the slider from the hand.
  if (!last_alone && run.status != "running") series.points = earlier_frames(files, last);
  series.points.push_back(last);
  series.ranges.resize(last.size());
  for (const Frame& frame : series.points) widen(series.ranges, frame);
  widen(series.ranges, series.last);
  return series;
}

std::string moment_of(const FieldPicture& picture) {
  return picture.time ? fmt::format("t = {:.6g}", *picture.time) : picture.file;
}

std::string caption_of(const FieldPicture& picture, const Raster& raster, bool error) {
  const std::optional<Range> range = range_of(raster);
  if (!range) return picture.name + ": no value is finite";
  std::string text = error ? fmt::format("{} minus the exact solution", picture.name) : picture.name;
  if (picture.time) text += " at " + moment_of(picture);
  text += fmt::format(": from {:.5g} to {:.5g}", range->low, range->high);
  if (!raster.to_scale()) text += "; not to scale";
  return text;
}

}  // namespace quoin
