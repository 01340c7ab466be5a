#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mesh/staggered.hpp"
#include "problems/dgcvs/setup/law.hpp"
#include "problems/dgcvs/setup/raster.hpp"
#include "quoin/case.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// The height of the ground under the water of the case. Not safe to share between threads.
class Bed {
 public:
  /// Throws ErrorKind::case_file where the formula depends on time.
  Bed(const Case& the_case, const HostLaw& law, const Expression::Constants& constants);

  /// Throws ErrorKind::case_file naming the point where it is not finite, or not known.
  [[nodiscard]] double at(Point point) const;
  /// The same at many points, for less time a point.
  void at(std::span<const Point> points, std::span<double> heights) const;
  /// Throws ErrorKind::case_file naming a vertex of periodic sides where they differ.
  void require_same_where_joined(const Staggered& staggered) const;

 private:
  const Case* case_;
  std::shared_ptr<const BedRaster> raster_;
  std::optional<Expression> formula_;  // flat ground at 0 without either
  mutable std::vector<double> x_, y_;  // of the points at hand
};

}  // namespace quoin
