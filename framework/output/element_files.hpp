#pragma once

#include <string>

#include "quoin/fields.hpp"

namespace quoin {

/// ErrorKind::bug where the frame's sizes do not fit.
void require_fitting(const ElementFields& frame);

/// HDF5 for programs, of a frame that fits.
std::string hdf5_image(const ElementFields& frame);

}  // namespace quoin
