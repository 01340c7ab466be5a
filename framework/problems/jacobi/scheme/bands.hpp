#pragma once

#include <cstddef>
#include <vector>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/communicator.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// How the passes over a rank's part are cut: into the rows next to other parts, whose results travel while those
/// between are computed. Each but the last ends where a row of the reduction tree's blocks does.
struct Bands {
  std::vector<Strip> rows;  ///< counted in the part, in order
  std::size_t inner = 0;    ///< which of them lies between the others; all of the part where it is not cut

  [[nodiscard]] bool cut() const { return rows.size() > 1; }
};

/// Those that the case asks for on such a device (run.overlap), where the part has room for them. Each rank has its
/// own.
Bands bands_of(const JacobiSetup& setup, const Communicator& ranks, const Executor& executor);

}  // namespace quoin
