#include "problems/dgcvs/scheme/outside.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"

namespace quoin {

OutsideStates::OutsideStates(const DgSetup& setup, const LevelArrays& arrays, EntityKind kind)
    : setup_(setup), arrays_(arrays), kind_(kind) {
  for (const HalfFace& half : arrays_.half_faces)
    uses_time_ = uses_time_ || (half.side >= 0 && setup_.sides[static_cast<std::size_t>(half.side)].uses_time);
}

std::size_t OutsideStates::size() const {
  const auto points = static_cast<std::size_t>(setup_.method.order) + 1;
  return arrays_.half_faces.size() * points * points * setup_.law.size();
}

std::vector<OutsideStates::Formula> OutsideStates::formulas() const {
  std::vector<Formula> formulas;
  for (const SideCondition& side : setup_.sides)
    formulas.push_back(side.kind == SideKind::dirichlet ? setup_.outside(side) : nullptr);
  return formulas;
}

std::vector<double> OutsideStates::table(std::int64_t first, std::int64_t steps, const Pace& pace) {
  const GaussRule rule = gauss_rule(setup_.method.order + 1);
  const std::size_t points = rule.nodes.size();
  const std::size_t variables = setup_.law.size();
  const auto stride = static_cast<std::size_t>(arrays_.face_stride);
  const double tau = pace.dt / 2;
  std::vector<double> values(size() * static_cast<std::size_t>(steps), 0.0);
  const auto faces = static_cast<std::int64_t>(arrays_.half_faces.size());
  formulas_.resize(static_cast<std::size_t>(parts_of(faces)));
  parallel_parts(faces, [&](const Part& part) {
    std::vector<Formula>& formulas = formulas_[static_cast<std::size_t>(part.number)];
    if (formulas.empty()) formulas = this->formulas();
    for (auto place = static_cast<std::size_t>(part.first); place < static_cast<std::size_t>(part.last); ++place) {
      const HalfFace& half = arrays_.half_faces[place];
      if (half.side < 0 || !formulas[static_cast<std::size_t>(half.side)]) continue;
      const auto& formula = formulas[static_cast<std::size_t>(half.side)];
      const std::size_t face = place / stride;
      const std::size_t lane = place % stride;
      for (std::size_t n = 0; n < static_cast<std::size_t>(steps); ++n) {
        const double start = pace.time(first + static_cast<std::int64_t>(n)) + (kind_ == EntityKind::cells ? tau : 0.0);
        for (std::size_t i = 0; i < points; ++i) {
          const Point at{half.from.x + rule.nodes[i] * (half.to.x - half.from.x),
                         half.from.y + rule.nodes[i] * (half.to.y - half.from.y)};
          for (std::size_t t = 0; t < points; ++t) {
            const State state = formula(at, start + tau * rule.nodes[t]);
            for (std::size_t v = 0; v < variables; ++v) {
              const std::size_t row = ((face * points + i) * points + t) * variables + v;
              values[n * size() + row * stride + lane] = state[v];
            }
          }
        }
      }
    }
  });
  return values;
}

}  // namespace quoin
