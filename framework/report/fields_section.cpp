#include <fmt/format.h>

#include <algorithm>

#include "quoin/error.hpp"
#include "quoin/problem.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/samples.hpp"
#include "report/sections.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

// What bounds a page with many frames, and the time that it takes.
constexpr std::size_t max_pictures = 36;
constexpr std::uintmax_t max_bytes_read = 512U << 20U;
constexpr double pixels_of_frame = 200.0;  // but for the last, which is as sharp as one alone

using Frame = std::vector<FieldPicture>;
using Ranges = std::vector<std::optional<Range>>;

ExactOf exact_of(const RunResults& run) {
  return [&run](const std::string& field, Point extent) -> ExactField {
    if (!run.the_case) return nullptr;
    const ProblemType& type = problem_type(run.the_case->text("problem.type"));
    return type.exact == nullptr ? nullptr : type.exact(*run.the_case, field, extent);
  };
}

ExactField without_exact(const std::string& /*field*/, Point /*extent*/) { return nullptr; }

std::string moment_of(const FieldPicture& picture) {
  return picture.time ? fmt::format("t = {:.6g}", *picture.time) : picture.file;
}

std::string picture_caption(const FieldPicture& picture, const Raster& raster, bool error) {
  const std::optional<Range> range = range_of(raster);
  if (!range) return picture.name + ": no value is finite";
  std::string text = error ? fmt::format("{} minus the exact solution", picture.name) : picture.name;
  if (picture.time) text += " at " + moment_of(picture);
  text += fmt::format(": from {:.5g} to {:.5g}", range->low, range->high);
  if (!raster.to_scale()) text += "; not to scale";
  return text;
}

/// The last frame; `objection` says why its errors are not known, though there is an exact solution.
Frame last_frame(const RunResults& run, const fs::path& file, std::string& objection) {
  try {
    return pictures_of(file, exact_of(run));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::case_file) throw;
    objection = std::string("There is no error map: the exact solution cannot be evaluated. ") + error.what();
    return pictures_of(file, without_exact);
  }
}

/// Some of the frames before the last. A page that reloads itself would take the slider from the hand.
std::vector<Frame> earlier_frames(const RunResults& run, const std::vector<fs::path>& files, const Frame& last) {
  std::vector<Frame> frames;
  if (run.status == "running" || files.size() < 2 || last.empty()) return frames;
  const std::size_t readable = max_bytes_read / std::max<std::uintmax_t>(fs::file_size(files.back()), 1);
  for (const std::size_t k : spread_over(files.size(), std::min(max_pictures / last.size(), readable))) {
    if (k + 1 == files.size()) continue;
    try {
      Frame frame = pictures_of(files[k], without_exact, pixels_of_frame);
      if (frame.size() == last.size()) frames.push_back(std::move(frame));
    } catch (const Error&) {  // a frame that a killed run did not finish is not missed among the others
    }
  }
  return frames;
}

/// Of each field over all frames, so that a colour means the same in each.
Ranges ranges_of(const std::vector<Frame>& frames, const Frame& last) {
  Ranges ranges(last.size());
  const auto widen = [&ranges](const Frame& frame) {
    for (std::size_t k = 0; k < frame.size(); ++k) {
      const std::optional<Range> more = range_of(frame[k].field);
      if (more && ranges[k]) ranges[k] = {std::min(ranges[k]->low, more->low), std::max(ranges[k]->high, more->high)};
      if (more && !ranges[k]) ranges[k] = more;
    }
  };
  for (const Frame& frame : frames) widen(frame);
  widen(last);
  return ranges;
}

std::string field_figure(const FieldPicture& picture, std::optional<Range> range, Gnuplot& gnuplot) {
  return figure_of(gnuplot, picture_chart(picture.name, picture.field, false, range),
                   picture_caption(picture, picture.field, false));
}

std::string error_figure(const FieldPicture& picture, Gnuplot& gnuplot) {
  if (!picture.error) return {};
  return figure_of(gnuplot, picture_chart(picture.name, *picture.error, true),
                   picture_caption(picture, *picture.error, true));
}

/// Pictures of one frame: each field beside its error.
std::string still(const Frame& frame, Gnuplot& gnuplot) {
  std::string figures;
  for (const FieldPicture& picture : frame)
    figures += field_figure(picture, {}, gnuplot) + error_figure(picture, gnuplot);
  return charts(figures);
}

/// Pictures of several behind a slider, and the errors of the last.
std::string moving(const std::vector<Frame>& frames, const Frame& last, Gnuplot& gnuplot) {
  const Ranges ranges = ranges_of(frames, last);
  html::Labelled slides;
  const auto add = [&](const Frame& frame) {
    std::string figures;
    for (std::size_t k = 0; k < frame.size(); ++k) figures += field_figure(frame[k], ranges[k], gnuplot);
    slides.emplace_back(moment_of(frame.front()), charts(figures));
  };
  for (const Frame& frame : frames) add(frame);
  add(last);
  std::string errors;
  for (const FieldPicture& picture : last) errors += error_figure(picture, gnuplot);
  return html::slides(slides) + (errors.empty() ? "" : charts(errors));
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
  return html::table({"", "least", "greatest"}, rows);
}

std::string pictures(const RunResults& run, const std::vector<fs::path>& files, Gnuplot& gnuplot) {
  std::string objection;
  const Frame last = last_frame(run, files.back(), objection);
  const std::vector<Frame> earlier = gnuplot.absent() ? std::vector<Frame>() : earlier_frames(run, files, last);
  std::string text = (earlier.empty() ? still(last, gnuplot) : moving(earlier, last, gnuplot)) + extremes(last);
  if (!objection.empty()) text += html::note(objection);
  const bool elements = !last.empty() && last.front().elements;
  text += html::note(files.back().filename().string() +
                     (elements ? ": each cell's polynomial at the middles of the pixels in it, so that jumps show."
                               : ": at each pixel the value of the nearest node."));
  if (!earlier.empty() && earlier.size() + 1 < files.size())
    text += html::note(fmt::format("{} of {} frames are shown.", earlier.size() + 1, files.size()));
  return text;
}

}  // namespace

std::string fields_section(const RunResults& run, Gnuplot& gnuplot) {
  std::string content;
  try {
    if (const std::vector<fs::path> files = frames_in(run.folder); !files.empty()) {
      content = pictures(run, files, gnuplot);
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
