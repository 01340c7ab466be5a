#pragma once

#include <cstdint>
#include <functional>
#include <numeric>

#include "output/result_folder.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// Values that the shape asks for.
inline std::int64_t count_of(const NamedArray& array) {
  return std::accumulate(array.shape.begin(), array.shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Hands over an array that the frame has, in pieces.
void give_array(const ElementFields& frame, const std::string& array, const TakeBytes& take);

/// A frame that is whole in memory, and stays there. ErrorKind::bug where its sizes do not fit.
ElementsOfRanks given_whole(const ElementFields& frame);

/// HDF5 for programs: `nodes` (n by x, y), `corners` (3 or 4, one a cell), `fields/NAME`, and the frame's data.
void put_hdf5(const ElementsOfRanks& elements, const PutAt& put);

}  // namespace quoin
