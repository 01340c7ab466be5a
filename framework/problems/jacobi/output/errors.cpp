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
  loop.read([&](std::int64_t number, std::span<const std::byte> row) {
    setup.exact->row(number, exact);
    const double section = grid.along_y.width(number % grid.ny) * grid.along_z.width(number / grid.ny);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double error = std::fabs(value_at(row, i, setup.method.precision) + shift - exact[i]);
      const double volume = grid.along_x.width(static_cast<std::int64_t>(i)) * section;
      sums.l1 += volume * error;
      sums.l2 += volume * (error * error);
      if (error > sums.linf || std::isnan(error)) sums.linf = error;
    }
  });
  const double share = grid.cell() / grid.volume();
  return {sums.l1 * share, std::sqrt(sums.l2 * share), sums.linf};
}

}  // namespace quoin
