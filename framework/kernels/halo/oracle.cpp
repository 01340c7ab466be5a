// Boxes of fields to and from lines.

#include <sstream>

#include "conformance/launch.hpp"

namespace quoin::conformance::halo {
namespace {

/// The whole grid, and strips of one and three layers at each side, of its nodes and of its ghosts.
std::vector<Box> halo_boxes(std::int64_t nx, std::int64_t ny) {
  return {Box::plane(nx, ny),
          {{0, 0, 0}, {1, ny, 1}, {0, 0, 0}},
          {{nx - 3, 0, 0}, {nx, ny, 1}, {0, 0, 0}},
          {{0, 0, 0}, {nx, 1, 1}, {0, 0, 0}},
          {{0, ny - 3, 0}, {nx, ny, 1}, {0, 0, 0}},
          {{-1, -1, 0}, {0, ny + 1, 1}, {0, 0, 0}},
          {{nx, 0, 0}, {nx + 1, ny, 1}, {0, 0, 0}},
          {{-1, ny, 0}, {nx + 1, ny + 1, 1}, {0, 0, 0}}};
}

std::vector<Variation> variations() {
  std::vector<Variation> list;
  const auto add = [&](std::int64_t nx, std::int64_t ny, const Box& box, Style style) {
    std::ostringstream name;
    name << nx << "x" << ny << " box [" << box.lower[0] << "," << box.upper[0] << ")x[" << box.lower[1] << ","
         << box.upper[1] << ")" << (style == Style::odd ? ", odd pitch and offset" : "");
    list.push_back({{name.str(), nx, ny, box, style}});
  };
  constexpr std::int64_t sizes[][2] = {{3, 3}, {61, 131}, {521, 67}};
  for (const Style style : {Style::native, Style::odd}) {
    for (const auto& [nx, ny] : sizes) {
      for (const Box& box : halo_boxes(nx, ny)) add(nx, ny, box, style);
    }
  }
  for (const Box& box : empty_boxes()) add(8, 8, box, Style::native);
  return list;
}

template <class T, bool Pack>
void check(DeviceUnderTest& bench, Cases& cases) {
  check_formula<T>(bench, cases, Pack ? "halo_pack" : "halo_unpack", variations(), {}, [](const DeclaredLaunch<T>& l) {
    T* next = &l.field("line")[0];
    every_node(l.box, [&, u = l.view("u")](auto i, auto j) {
      if (Pack)
        *next++ = u(i, j);
      else
        u(i, j) = *next++;
    });
  });
}

const RegisterOracles registered{{"halo_pack", check<double, true>, check<float, true>},
                                 {"halo_unpack", check<double, false>, check<float, false>}};

}  // namespace
}  // namespace quoin::conformance::halo
