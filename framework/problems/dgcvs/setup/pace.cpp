#include "problems/dgcvs/setup/pace.hpp"

#include <algorithm>
#include <cmath>

namespace quoin {

Pace Pace::within(std::int64_t from, double start, double end, double longest) {
  const double steps = (end - start) / longest;
  const auto whole = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(steps * (1 - 1e-12))));
  return {from, from + whole, start, (end - start) / static_cast<double>(whole)};
}

}  // namespace quoin
