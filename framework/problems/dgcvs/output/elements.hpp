#pragma once

#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// Lagrange cells of the scheme's order: the cells themselves, or the sub-quads of the vertices.
ElementFields elements_of(const Solution& solution);

}  // namespace quoin
