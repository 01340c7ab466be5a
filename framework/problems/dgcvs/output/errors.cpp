#include "problems/dgcvs/output/errors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"

namespace quoin {

Errors errors_of(const Solution& cells) {
  const DgSetup& setup = cells.setup();
  const GaussRule rule = gauss_rule(setup.method.order + 3);
  Errors all;
  double area = 0.0;
  std::vector<Errors> sums(static_cast<std::size_t>(setup.staggered.cells.count()));
  parallel_parts(setup.staggered.cells.count(), [&](const Part& part) {
    const ExactSolution own = *setup.exact();
    for (std::int64_t cell = part.first; cell < part.last; ++cell) {
      Errors& sum = sums[static_cast<std::size_t>(cell)];
      for (const std::int64_t q : setup.staggered.cells.quads_of(cell)) {
        visit_quad(setup.staggered.quads[static_cast<std::size_t>(q)].corners, rule, [&](Point point, double weight) {
          const State is = cells.sample(cell, point);
          const State should = own.at(point, cells.time());
          double square = 0.0;
          for (std::size_t v = 0; v < setup.law.size(); ++v) square += (is[v] - should[v]) * (is[v] - should[v]);
          sum.l1 += weight * std::sqrt(square);
          sum.l2 += weight * square;
          sum.linf = std::max(sum.linf, std::sqrt(square));
        });
      }
    }
  });
  for (std::size_t cell = 0; cell < sums.size(); ++cell) {
    area += setup.staggered.cells.area[cell];
    all.l1 += sums[cell].l1;
    all.l2 += sums[cell].l2;
    all.linf = std::max(all.linf, sums[cell].linf);
  }
  all.l1 /= area;
  all.l2 = std::sqrt(all.l2 / area);
  return all;
}

}  // namespace quoin
