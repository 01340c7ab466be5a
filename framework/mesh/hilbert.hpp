#pragma once

#include "mesh/mesh.hpp"

namespace quoin {

/// Places along the Hilbert curve that fills the box: points that are near on it are near in space.
class HilbertCurve {
 public:
  explicit HilbertCurve(const Box2D& box);
  [[nodiscard]] std::uint64_t place(Point point) const;

 private:
  Point low_;
  double scale_;
};

}  // namespace quoin
