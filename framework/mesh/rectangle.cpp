#include "mesh/rectangle.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "quoin/error.hpp"

namespace quoin {
namespace {

void validate(const Rectangle& r) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::case_file, "the generated mesh: " + what); };
  const bool finite = std::isfinite(r.low.x) && std::isfinite(r.low.y) && std::isfinite(r.high.x - r.low.x) &&
                      std::isfinite(r.high.y - r.low.y);
  if (!finite || r.low.x >= r.high.x || r.low.y >= r.high.y)
    refuse(fmt::format("the rectangle from {} to {} is empty; its first corner must be the lower left one",
                       describe(r.low), describe(r.high)));
  if (r.nx < 1 || r.ny < 1 || r.nx > max_cells / r.ny)
    refuse(fmt::format("{} by {} cells; there must be at least 1 and at most {}", r.nx, r.ny, max_cells));
  if (!(r.perturb >= 0 && r.perturb < 0.45))
    refuse(fmt::format("vertices cannot be moved by {:g} of the spacing; the share must be at least 0 and below 0.45",
                       r.perturb));
}

// The finaliser of SplitMix64, as a number in [-1, 1): all integers, so the same on every machine.
double random(std::uint64_t key) {
  key += 0x9E3779B97F4A7C15U;
  key = (key ^ (key >> 30U)) * 0xBF58476D1CE4E5B9U;
  key = (key ^ (key >> 27U)) * 0x94D049BB133111EBU;
  key ^= key >> 31U;
  return std::ldexp(static_cast<double>(key >> 11U), -52) - 1;
}

// The move of a vertex, as shares of the spacing with |x| + |y| <= 1: while each vertex moves by less than half of
// that, the corner of a quad (or triangle) cannot reach the line through its neighbours, and the cell stays convex.
Point move(std::int64_t vertex) {
  const double u = random(2 * static_cast<std::uint64_t>(vertex));
  const double v = random(2 * static_cast<std::uint64_t>(vertex) + 1);
  return {0.5 * (u + v), 0.5 * (u - v)};
}

void add_vertices(const Rectangle& r, Mesh& mesh) {
  const double dx = (r.high.x - r.low.x) / static_cast<double>(r.nx);
  const double dy = (r.high.y - r.low.y) / static_cast<double>(r.ny);
  mesh.vertices.reserve((r.nx + 1) * (r.ny + 1));
  for (std::int64_t j = 0; j <= r.ny; ++j) {
    for (std::int64_t i = 0; i <= r.nx; ++i) {
      Point point{std::lerp(r.low.x, r.high.x, static_cast<double>(i) / static_cast<double>(r.nx)),
                  std::lerp(r.low.y, r.high.y, static_cast<double>(j) / static_cast<double>(r.ny))};
      if (r.perturb > 0 && i > 0 && i < r.nx && j > 0 && j < r.ny) {
        const Point share = move(mesh.vertex_count());
        point = point + Point{r.perturb * dx * share.x, r.perturb * dy * share.y};
      }
      mesh.vertices.push_back(point);
    }
  }
}

}  // namespace

Mesh make_rectangle(const Rectangle& r) {
  validate(r);
  Mesh mesh;
  mesh.source = "the generated mesh";
  mesh.row_by_row = true;
  mesh.sides = {"left", "right", "bottom", "top"};
  add_vertices(r, mesh);

  const bool tri = r.cells == RectangleCells::tri;
  const auto vertex = [&](std::int64_t i, std::int64_t j) { return j * (r.nx + 1) + i; };
  mesh.corners.reserve(r.nx * r.ny * (tri ? 6 : 4));
  mesh.first.reserve(r.nx * r.ny * (tri ? 2 : 1) + 1);
  for (std::int64_t j = 0; j < r.ny; ++j) {
    for (std::int64_t i = 0; i < r.nx; ++i) {
      const std::int64_t a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1), d = vertex(i, j + 1);
      // The lower triangle has the sides bottom and right, the upper one top and left.
      const std::int64_t lower = mesh.cell_count();
      const std::int64_t upper = tri ? lower + 1 : lower;
      if (tri) {
        mesh.add_cell(std::array{a, b, c});
        mesh.add_cell(std::array{a, c, d});
      } else {
        mesh.add_cell(std::array{a, b, c, d});
      }
      if (i == 0) mesh.boundary.push_back({d, a, upper, 0});
      if (i == r.nx - 1) mesh.boundary.push_back({b, c, lower, 1});
      if (j == 0) mesh.boundary.push_back({a, b, lower, 2});
      if (j == r.ny - 1) mesh.boundary.push_back({c, d, upper, 3});
    }
  }
  return mesh;
}

}  // namespace quoin
