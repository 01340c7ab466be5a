#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/charts.hpp"
#include "report/results.hpp"

namespace quoin {

/// The fields of a moment.
using Frame = std::vector<FieldPicture>;

/// What a page shows of the fields of a run.
struct Series {
  Frame last;                 ///< by pixels, with its errors
  std::vector<Frame> points;  ///< some frames at points, the last among them
  std::vector<std::optional<Range>>
      ranges;              ///< of each field over all of them, so that a colour means the same in each
  std::size_t frames = 0;  ///< that the run has written
  std::string objection;   ///< why the errors are not known, though there is an exact solution
};
/// Of frames_in() the folder, which must not be empty. A run that goes on has the last alone, and so has one whose
/// earlier frames are not to be seen.
Series series_of(const RunResults& run, const std::vector<std::filesystem::path>& files, bool last_alone);

/// `t = 0.5`, or the file where it has no time.
std::string moment_of(const FieldPicture& picture);
/// What a picture shows, with its least and greatest value.
std::string caption_of(const FieldPicture& picture, const Raster& raster, bool error = false);

}  // namespace quoin
