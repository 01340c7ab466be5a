#include "problems/jacobi/scheme/needs.hpp"

#include <algorithm>

#include "problems/jacobi/scheme/sweeps.hpp"
#include "quoin/precision.hpp"

namespace quoin {

Estimate needs_of(const JacobiSetup& setup) {
  const auto points = static_cast<double>(setup.grid.nx + 2) * static_cast<double>(setup.grid.ny + 2);
  const double field = points * static_cast<double>(element_size(setup.method.precision));
  constexpr double staging = 4.0 * 1024 * 1024;  // rows on their way to and from the device
  constexpr double small_buffers = 16384.0;      // norms, control and weights
  constexpr double history_row = 36.0;           // bytes at most in the file
  constexpr double history_kept = 48.0;          // bytes of a row in a vector that grows
  constexpr double other_files = 64e3;           // summary, log, case
  Estimate needs;
  const double sides = 2.0 * static_cast<double>(setup.grid.nx + setup.grid.ny) * sizeof(double);
  needs.host = sides + std::min(field, staging);
  if (!setup.method.stops_on_tolerance)  // else nobody knows how many there will be
    needs.host += history_kept * std::min(static_cast<double>(setup.method.max_iterations), 1e6);
  needs.temporary = field;  // one whole copy, when the result is written
  needs.device = sweeps_bytes(setup) + small_buffers;
  needs.disk = other_files;
  if (setup.the_case().boolean("output.fields.write")) needs.disk += field;
  if (setup.the_case().boolean("output.history"))
    needs.disk += history_row * static_cast<double>(setup.method.max_iterations);
  needs.checkpoint = other_files + field;
  return needs;
}

}  // namespace quoin
