#include "problems/dgcvs/setup/bed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/mesh.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr const char* bed_key = "problem.bed.formula";
constexpr const char* file_key = "problem.bed.file";

}  // namespace

Bed::Bed(const Case& the_case, const HostLaw& law, const Expression::Constants& constants)
    : case_(&the_case), raster_(law.raster()) {
  if (!the_case.has(bed_key)) return;
  formula_.emplace(the_case.expression(bed_key, constants));
  if (formula_->uses_time())
    throw the_case.error_at(bed_key, "the bed stays as it is: a formula of x and y, without t");
}

double Bed::at(Point point) const {
  double height = 0.0;
  at({&point, 1}, {&height, 1});
  return height;
}

void Bed::at(std::span<const Point> points, std::span<double> heights) const {
  if (raster_ != nullptr) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::optional<double> height = raster_->at(points[k]);
      if (!height)
        throw case_->error_at(file_key, "the grid has no height at " + describe(points[k]) + "; it covers " +
                                            raster_->extent() + ", less the cells without data");
      heights[k] = *height;
    }
    return;
  }
  if (!formula_) {
    std::ranges::fill(heights, 0.0);
    return;
  }
  x_.clear();
  y_.clear();
  for (const Point& point : points) {
    x_.push_back(point.x);
    y_.push_back(point.y);
  }
  const double start = 0.0;
  formula_->at({x_, y_, {&start, 1}}, heights);
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (std::isfinite(heights[k])) continue;
    (void)(*formula_)(points[k].x, points[k].y);  // which knows a definition that is to blame
    throw case_->error_at(bed_key, "at " + describe(points[k]) + " the bed is not finite", *formula_);
  }
}

void Bed::require_same_where_joined(const Staggered& staggered) const {
  constexpr double rounding = 1e-9;
  for (const SubQuad& quad : staggered.quads) {
    const Point here = quad.corners[0];
    const Point there = staggered.vertices.centre[static_cast<std::size_t>(quad.vertex)];
    if (here.x == there.x && here.y == there.y) continue;
    const double one = at(here);
    const double other = at(there);
    if (std::abs(one - other) <= rounding * (1.0 + std::abs(one) + std::abs(other))) continue;
    throw case_->error_at(formula_ ? bed_key : file_key,
                          fmt::format("the bed is {:.6g} at {} and {:.6g} at {}, which periodic sides join; give a bed "
                                      "that is the same there, or sides that are not periodic",
                                      one, describe(here), other, describe(there)));
  }
}

}  // namespace quoin
