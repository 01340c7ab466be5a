#include "problems/jacobi/setup/axis.hpp"

#include <string>
#include <vector>

namespace quoin {
namespace {

SideType side_type(const Case& the_case, const std::string& side) {
  const std::string key = "problem.boundary." + side + ".type";
  if (!the_case.has(key)) return SideType::dirichlet;
  const std::string& name = the_case.text(key);
  if (name == "neumann") return SideType::neumann;
  if (name == "robin") return SideType::robin;
  return name == "periodic" ? SideType::periodic : SideType::dirichlet;
}

Axis axis_of(const Case& the_case, const std::string& range, std::size_t direction, const std::string& lower,
             const std::string& upper) {
  const auto ends = the_case.has(range) ? the_case.reals(range) : std::vector<double>{0.0, 1.0};
  const SideType first = side_type(the_case, lower);
  const SideType second = side_type(the_case, upper);
  if ((first == SideType::periodic) != (second == SideType::periodic)) {
    const std::string& joined = first == SideType::periodic ? lower : upper;
    const std::string& other = first == SideType::periodic ? upper : lower;
    throw the_case.error_at(
        "problem.boundary." + joined + ".type",
        "a periodic side goes on at the opposite one: make " + other + " periodic as well, or neither of them");
  }
  return {ends[0], ends[1], the_case.integers("problem.grid.nodes")[direction] + 1, first, second};
}

}  // namespace

Axis::Axis(double from, double to, std::int64_t intervals_between, SideType lower_side, SideType upper_side)
    : begin(from),
      end(to),
      intervals(intervals_between),
      lower(lower_side),
      upper(upper_side),
      spacing((end - begin) / static_cast<double>(intervals)),
      first(lower == SideType::dirichlet ? 1 : 0),
      count(intervals + 1 - first - (upper == SideType::dirichlet || upper == SideType::periodic ? 1 : 0)) {}

Axis Axis::x_of(const Case& the_case) { return axis_of(the_case, "problem.domain.x", 0, "left", "right"); }
Axis Axis::y_of(const Case& the_case) { return axis_of(the_case, "problem.domain.y", 1, "bottom", "top"); }

Axis Axis::z_of(const Case& the_case) {
  if (the_case.integers("problem.grid.nodes").size() == 3)
    return axis_of(the_case, "problem.domain.z", 2, "back", "front");
  for (const char* key : {"problem.domain.z", "problem.boundary.back.type", "problem.boundary.back.value",
                          "problem.boundary.back.coefficient", "problem.boundary.front.type",
                          "problem.boundary.front.value", "problem.boundary.front.coefficient"})
    if (the_case.has(key))
      throw the_case.error_at(
          key, "a problem in the plane has no z: give problem.grid.nodes a third number, or take this away");
  return flat();
}

double Axis::width(std::int64_t i) const {
  const std::int64_t node = first + i;
  return !periodic() && (node == 0 || node == intervals) ? 0.5 : 1.0;
}

std::int64_t Axis::interval_before(std::int64_t i) const {
  const std::int64_t interval = first + i - 1;
  if (periodic()) return (interval + intervals) % intervals;
  return interval < intervals ? interval : -1;
}

bool joins_sides(const Axis& x, const Axis& y, const Axis& z) {
  return x.periodic() || y.periodic() || (z.periodic() && !z.is_flat());
}

}  // namespace quoin
