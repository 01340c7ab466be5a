#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "output/result_folder.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// What a file has of so many cells and nodes, for others that have the same ones.
struct VtuMesh {
  std::int64_t cells = 0, nodes = 0;
  std::string text;  ///< empty as long as there is no file
};

/// VTK's XML unstructured grid of Lagrange cells with compressed arrays. `mesh` is that of earlier files, and then of
/// this one. ErrorKind::bug where it has not as many cells and nodes.
void put_vtu(const ElementsOfRanks& elements, const PutAt& put, VtuMesh* mesh = nullptr);

/// Writes LEVEL-STEP.pvtu, which names the files of some ranks; returns its name.
std::string write_pvtu(ResultFolder& folder, const ElementFields& frame, std::span<const std::string> pieces);

struct TimedFile {
  double time;
  std::string name;
};

/// Writes LEVEL.pvd, the series of `frames` in time, anew; returns its name.
std::string write_pvd(ResultFolder& folder, const std::string& level, std::span<const TimedFile> frames);

}  // namespace quoin
