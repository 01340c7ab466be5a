#pragma once

// Products of a sparse matrix with a vector alone, without a solver: what `quoin bench spmv` times.

#include <cstdint>
#include <memory>
#include <string>

#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace quoin {

struct MatrixProducts {
  std::string refusal;  ///< why the matrix is not stored in the case's format; else empty, and the rest is known
  std::string format;
  std::int64_t rows = 0, entries = 0;
  double bytes = 0.0;   ///< of the matrix on the device
  double shared = 0.0;  ///< the part of its slices that are stored once for several
  std::int64_t products = 0;
  double seconds = 0.0;  ///< of the device, for all of them
  std::string sha256;    ///< of A x in the case's precision
};

/// A x with the matrix of a case of the problem linear-system and numbers from -1 to 1, for about a tenth of a second
/// once it is warm. Throws as a run of the case does.
MatrixProducts time_products(const Case& the_case, const std::shared_ptr<Executor>& executor);

}  // namespace quoin
