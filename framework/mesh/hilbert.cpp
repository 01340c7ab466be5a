#include "mesh/hilbert.hpp"

#include <algorithm>
#include <utility>

namespace quoin {
namespace {

constexpr unsigned curve_levels = 20;
constexpr double last_place = static_cast<double>((1U << curve_levels) - 1);

}  // namespace

HilbertCurve::HilbertCurve(const Box2D& box) : low_(box.low) {
  const double size = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
  scale_ = size > 0 ? last_place / size : 0;
}

std::uint64_t HilbertCurve::place(Point point) const {
  const auto step = [&](double along) {
    return static_cast<std::uint32_t>(std::clamp(along * scale_, 0.0, last_place));
  };
  std::uint32_t x = step(point.x - low_.x);
  std::uint32_t y = step(point.y - low_.y);
  std::uint64_t result = 0;
  for (std::uint32_t half = 1U << (curve_levels - 1); half > 0; half >>= 1U) {
    const bool right = (x & half) != 0;
    const bool upper = (y & half) != 0;
    result = 4 * result + (right ? (upper ? 2 : 3) : (upper ? 1 : 0));
    // Within its quarter the curve is the same one, turned: the lower quarters are mirrored at their diagonals.
    x &= half - 1;
    y &= half - 1;
    if (!upper) {
      if (right) {
        x = half - 1 - x;
        y = half - 1 - y;
      }
      std::swap(x, y);
    }
  }
  return result;
}

}  // namespace quoin
