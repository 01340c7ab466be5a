#pragma once

#include "output/result_folder.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Writes `field` as NAME.vti, VTK's XML image data with raw appended values; returns the file's name.
std::string write_vti(ResultFolder& folder, const GridField& field);

}  // namespace quoin
