#include "problems/dgcvs/scheme/errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"

namespace quoin {

std::vector<CellErrors> cell_errors(const Solution& cells, const EntityPart& part) {
  const DgSetup& setup = cells.setup();
  const GaussRule rule = gauss_rule(setup.method.order + 3);
  std::vector<CellErrors> all(static_cast<std::size_t>(part.count()));
  parallel_parts(part.count(), [&](const Part& stretch) {
    const ExactSolution own = *setup.exact();
    std::vector<Point> points;
    std::vector<double> weights;
    std::vector<State> found;
    std::vector<State> should;
    for (std::int64_t k = stretch.first; k < stretch.last; ++k) {
      const std::int64_t cell = part.entity(k);
      CellErrors& sum = all[static_cast<std::size_t>(k)];
      sum.area = setup.staggered.cells.area[static_cast<std::size_t>(cell)];
      points.clear();
      weights.clear();
      for (const std::int64_t q : setup.staggered.cells.quads_of(cell)) {
        visit_quad(setup.staggered.quads[static_cast<std::size_t>(q)].corners, rule, [&](Point point, double weight) {
          points.push_back(point);
          weights.push_back(weight);
        });
      }
      const PolynomialInSpace polynomial = cells.polynomial(cell);
      found.resize(points.size());
      polynomial.at(points, found);
      should = found;
      own.near(points, cells.time(), should);
      for (std::size_t n = 0; n < points.size(); ++n) {
        State is = found[n];
        if (setup.law.has_bed()) {
          is = setup.law.over(is, should[n][bed_place]);
          for (State* state : {&is, &should[n]})  // the ground, where it is dry
            (*state)[0] = std::max((*state)[0], should[n][bed_place]);
        }
        double square = 0.0;
        for (std::size_t v = 0; v < setup.law.size(); ++v) square += (is[v] - should[n][v]) * (is[v] - should[n][v]);
        sum.l1 += weights[n] * std::sqrt(square);
        sum.l2 += weights[n] * square;
        sum.linf = std::max(sum.linf, std::sqrt(square));
      }
    }
  });
  return all;
}

void ErrorSums::add(std::span<const std::byte> some) {
  for (; !some.empty(); some = some.subspan(sizeof(CellErrors))) {
    CellErrors one{};
    std::memcpy(&one, some.data(), sizeof one);
    sums_.l1 += one.l1;
    sums_.l2 += one.l2;
    sums_.linf = std::max(sums_.linf, one.linf);
    sums_.area += one.area;
  }
}

Errors ErrorSums::errors() const { return {sums_.l1 / sums_.area, std::sqrt(sums_.l2 / sums_.area), sums_.linf}; }

}  // namespace quoin
