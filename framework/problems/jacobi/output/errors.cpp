#include "problems/jacobi/output/errors.hpp"

#include <cmath>
#include <vector>

#include "quoin/precision.hpp"

namespace quoin {

Errors errors_of(const IterationLoop& loop) {
  const JacobiSetup& setup = loop.setup();
  const Grid& grid = setup.grid;
  std::vector<double> exact(static_cast<std::size_t>(grid.nx));
  const double shift = loop.shift();
  Errors sums;
  loop.read([&](std::int64_t j, std::span<const std::byte> row) {
    setup.exact->row(j, exact);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double error = std::fabs(value_at(row, i, setup.method.precision) + shift - exact[i]);
      const double volume = grid.along_x.width(static_cast<std::int64_t>(i)) * grid.along_y.width(j);
      sums.l1 += volume * error;
      sums.l2 += volume * (error * error);
      if (error > sums.linf || std::isnan(error)) sums.linf = error;
    }
  });
  const double share = grid.dx * grid.dy / ((grid.xmax - grid.xmin) * (grid.ymax - grid.ymin));
  return {sums.l1 * share, std::sqrt(sums.l2 * share), sums.linf};
}

}  // namespace quoin
