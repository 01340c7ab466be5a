// Boxes of fields to and from lines.

#include "conformance/oracle.hpp"

namespace quoin::conformance {
namespace {

/// The box's nodes in the order of a line.
template <class Visit>
void along_line(const Box& box, Visit&& visit) {
  std::int64_t k = 0;
  every_node(box, [&](std::int64_t i, std::int64_t j) { visit(k++, i, j); });
}

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

std::string name_of(const Box& box) {
  std::ostringstream text;
  text << "[" << box.lower[0] << "," << box.upper[0] << ")x[" << box.lower[1] << "," << box.upper[1] << ")";
  return text.str();
}

template <class T, bool Pack>
void halo_check(DeviceUnderTest& bench, Cases& cases) {
  const auto run = [&](std::int64_t nx, std::int64_t ny, const Box& box, Style style) {
    const std::string size = std::to_string(nx) + "x" + std::to_string(ny);
    cases(size + " box " + name_of(box) + (style == Style::odd ? ", odd pitch and offset" : ""), [&] {
      Trial trial(bench, {Pack ? "halo_pack" : "halo_unpack", precision_of<T>, {}});
      auto& u = trial.field<T>("u", place_grid<T>(*bench.executor, nx, ny, style));
      auto& line = trial.field<T>("line", place_array(box.points(), style));
      if (Pack) {
        u.fill(box, 1);
        trial.launch(box, {u.argument(), line.argument()});
        along_line(box, [&](std::int64_t k, std::int64_t i, std::int64_t j) { line[k] = u.view()(i, j); });
      } else {
        line.fill(0, box.points(), 0, 1, 1);
        trial.launch(box, {line.argument(), u.argument()});
        along_line(box, [&](std::int64_t k, std::int64_t i, std::int64_t j) { u.view()(i, j) = line[k]; });
      }
      trial.compare();
    });
  };
  constexpr std::int64_t sizes[][2] = {{3, 3}, {61, 131}, {521, 67}};
  for (const Style style : {Style::native, Style::odd}) {
    for (const auto& [nx, ny] : sizes) {
      for (const Box& box : halo_boxes(nx, ny)) run(nx, ny, box, style);
    }
  }
  for (const Box& box : empty_boxes()) run(8, 8, box, Style::native);
}

const RegisterOracles registered{{"halo_pack", halo_check<double, true>, halo_check<float, true>},
                                 {"halo_unpack", halo_check<double, false>, halo_check<float, false>}};

}  // namespace
}  // namespace quoin::conformance
