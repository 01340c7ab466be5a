#pragma once

#include <span>
#include <string>

#include "output/result_folder.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// Writes LEVEL-STEP.vtu, VTK's XML unstructured grid of Lagrange cells with compressed arrays; returns its name.
/// The frame's sizes must fit.
std::string write_vtu(ResultFolder& folder, const ElementFields& frame);

struct TimedFile {
  double time;
  std::string name;
};

/// Writes LEVEL.pvd, the series of `frames` in time, anew; returns its name.
std::string write_pvd(ResultFolder& folder, const std::string& level, std::span<const TimedFile> frames);

}  // namespace quoin
