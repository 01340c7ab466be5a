#include "problems/dgcvs/scheme/outside.hpp"

#include <algorithm>
#include <memory>

#include "base/thread.hpp"

namespace quoin {
namespace {

constexpr std::int64_t least_faces = 16;        // of a part: each has many points and times
constexpr std::int64_t least_values = 1 << 13;  // for a thread, which takes as long to start

}  // namespace

OutsideStates::OutsideStates(const DgSetup& setup, const LevelArrays& arrays, EntityKind kind)
    : setup_(setup), arrays_(arrays), kind_(kind) {
  for (const HalfFace& half : arrays_.half_faces)
    uses_time_ = uses_time_ || (half.side >= 0 && setup_.sides[static_cast<std::size_t>(half.side)].uses_time);
  const GaussRule rule = gauss_rule(setup_.method.order + 1);
  const auto faces = static_cast<std::int64_t>(arrays_.half_faces.size());
  parts_.resize(static_cast<std::size_t>(parts_of(faces, least_faces)));
  parallel_parts(
      faces, [&](const Part& part) { parts_[static_cast<std::size_t>(part.number)] = points_of(part, rule); },
      least_faces);
}

std::size_t OutsideStates::size() const {
  const auto points = static_cast<std::size_t>(setup_.method.order) + 1;
  return arrays_.half_faces.size() * points * points * setup_.law.size();
}

std::vector<OutsideStates::Points> OutsideStates::points_of(const Part& part, const GaussRule& rule) const {
  std::vector<Points> sides(setup_.sides.size());
  const std::size_t points = rule.nodes.size();
  const auto stride = static_cast<std::size_t>(arrays_.face_stride);
  for (auto place = static_cast<std::size_t>(part.first); place < static_cast<std::size_t>(part.last); ++place) {
    const HalfFace& half = arrays_.half_faces[place];
    if (half.side < 0) continue;
    const auto side = static_cast<std::size_t>(half.side);
    if (!state_given(setup_.sides[side].kind)) continue;
    for (std::size_t i = 0; i < points; ++i) {
      sides[side].points.push_back({half.from.x + rule.nodes[i] * (half.to.x - half.from.x),
                                    half.from.y + rule.nodes[i] * (half.to.y - half.from.y)});
      const std::size_t row = (place / stride * points + i) * points * setup_.law.size();
      sides[side].rows.push_back(row * stride + place % stride);
      if (setup_.sides[side].kind != SideKind::discharge) continue;
      const Point along = 1 / distance(half.from, half.to) * (half.to - half.from);
      sides[side].inward.push_back({-along.y, along.x});
    }
  }
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (sides[side].points.empty()) continue;
    sides[side].formula = setup_.outside(setup_.sides[side]);
    sides[side].states.resize(sides[side].points.size());
  }
  return sides;
}

void OutsideStates::look_ahead(std::int64_t first, std::int64_t steps, const Pace& pace) {
  ahead_ = {first, steps, pace};
  const auto work =
      std::make_shared<std::packaged_task<std::vector<double>()>>([this, span = ahead_] { return made(span); });
  made_ahead_ = work->get_future();
  thread_ = start_thread([work] { (*work)(); });
}

std::vector<double> OutsideStates::table(std::int64_t first, std::int64_t steps, const Pace& pace) {
  const Span span{first, steps, pace};
  if (!made_ahead_.valid()) return made(span);
  made_ahead_.wait();
  std::future<std::vector<double>> ahead = std::move(made_ahead_);
  return span == ahead_ ? ahead.get() : made(span);
}

std::vector<double> OutsideStates::made(const Span& span) {
  const Pace& pace = span.pace;
  const GaussRule rule = gauss_rule(setup_.method.order + 1);
  const std::size_t variables = setup_.law.size();
  const auto stride = static_cast<std::size_t>(arrays_.face_stride);
  const double tau = pace.dt / 2;
  std::vector<double> values(size() * static_cast<std::size_t>(span.steps), 0.0);
  const auto make = [&](std::vector<Points>& sides, std::int64_t n) {
    const double start = pace.time(span.first + n) + (kind_ == EntityKind::cells ? tau : 0.0);
    double* const half_step = values.data() + static_cast<std::size_t>(n) * size();
    for (std::size_t t = 0; t < rule.nodes.size(); ++t) {
      for (Points& side : sides) {
        if (side.points.empty()) continue;
        side.formula(side.points, start + tau * rule.nodes[t], side.states);
        for (std::size_t k = 0; k < side.inward.size(); ++k) {
          const double in = side.states[k][1];
          side.states[k] = {0.0, in * side.inward[k].x, in * side.inward[k].y};
        }
        for (std::size_t k = 0; k < side.points.size(); ++k)
          for (std::size_t v = 0; v < variables; ++v)
            half_step[side.rows[k] + (t * variables + v) * stride] = side.states[k][v];
      }
    }
  };
  const auto parts = static_cast<std::int64_t>(parts_.size());
  const std::int64_t in_part = std::max<std::int64_t>(1, static_cast<std::int64_t>(values.size()) / parts);
  parallel_parts(
      parts,
      [&](const Part& some) {
        for (std::int64_t k = some.first; k < some.last; ++k)
          for (std::int64_t n = 0; n < span.steps; ++n) make(parts_[static_cast<std::size_t>(k)], n);
      },
      (least_values + in_part - 1) / in_part);
  return values;
}

}  // namespace quoin
