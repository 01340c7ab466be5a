#pragma once

#include <span>
#include <string>

#include "output/result_folder.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// VTK's XML unstructured grid of Lagrange cells with compressed arrays.
void put_vtu(const ElementsOfRanks& elements, const PutAt& put);

/// Writes LEVEL-STEP.pvtu, which names the files of some ranks; returns its name.
std::string write_pvtu(ResultFolder& folder, const ElementFields& frame, std::span<const std::string> pieces);

struct TimedFile {
  double time;
  std::string name;
};

/// Writes LEVEL.pvd, the series of `frames` in time, anew; returns its name.
std::string write_pvd(ResultFolder& folder, const std::string& level, std::span<const TimedFile> frames);

}  // namespace quoin
