#pragma once

#include <string>

#include "quoin/fields.hpp"

namespace quoin {

/// ErrorKind::bug where the frame's sizes do not fit.
void require_fitting(const ElementFields& frame);

/// The files of a frame, which fits: VTK's to look at, HDF5 for programs.
struct ElementText {
  std::string pictures;
  std::string programs;
};
ElementText text_of(const ElementFields& frame);

}  // namespace quoin
