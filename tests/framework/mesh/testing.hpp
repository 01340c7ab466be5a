#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <initializer_list>
#include <numeric>
#include <set>
#include <string>

#include "mesh/mesh.hpp"
#include "mesh/staggered.hpp"
#include "quoin/error.hpp"

namespace quoin::test {

inline std::string refusal(ErrorKind kind, const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

inline std::string refusal(const std::function<void()>& action) { return refusal(ErrorKind::case_file, action); }

/// How many edges there are, counted one by one, before periodic merging.
inline std::size_t count_edges(const Mesh& mesh) {
  std::set<std::pair<std::int64_t, std::int64_t>> edges;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    const auto corners = mesh.cell(c);
    for (std::size_t k = 0; k < corners.size(); ++k)
      edges.insert(std::minmax({corners[k], corners[(k + 1) % corners.size()]}));
  }
  return edges.size();
}

inline double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

inline Point outward(Point a, Point b) { return {b.y - a.y, a.x - b.x}; }

/// What must hold for the sub-quads of any sound mesh.
inline void expect_sound(const Mesh& mesh, const Staggered& staggered, double area) {
  const auto& quads = staggered.quads;
  ASSERT_EQ(quads.size(), mesh.corners.size());
  EXPECT_NEAR(total(staggered.cells.area), area, 1e-12 * area);
  EXPECT_NEAR(total(staggered.vertices.area), area, 1e-12 * area);
  for (const Entities* entities : {&staggered.cells, &staggered.vertices}) {
    const bool is_cell = entities == &staggered.cells;
    ASSERT_EQ(entities->first.size(), entities->origin.size() + 1);
    ASSERT_EQ(entities->quads.size(), quads.size());
    std::set<std::int64_t> seen(entities->quads.begin(), entities->quads.end());
    EXPECT_EQ(seen.size(), quads.size());
    for (std::int64_t e = 0; e < entities->count(); ++e) {
      EXPECT_GT(entities->area[e], 0);
      EXPECT_DOUBLE_EQ(4 * entities->length[e] * entities->length[e], entities->area[e]);
      bool boundary = false;
      Point normals;  // the outward normals of the lateral faces: they close, along with the boundary's half faces
      const auto its_quads = entities->quads_of(e);
      for (std::size_t k = 0; k < its_quads.size(); ++k) {
        const SubQuad& quad = quads[its_quads[k]];
        const auto& p = quad.corners;
        EXPECT_EQ(is_cell ? quad.cell : quad.vertex, e);
        for (int i = 0; i < 4; ++i) EXPECT_GT(cross(p[(i + 1) % 4] - p[i], p[(i + 3) % 4] - p[i]), 0);
        if (is_cell) {
          normals = normals + outward(p[3], p[0]) + outward(p[0], p[1]);
        } else {
          normals = normals + outward(p[1], p[2]) + outward(p[2], p[3]);
          if (quad.side01 >= 0) normals = normals + outward(p[0], p[1]);
          if (quad.side30 >= 0) normals = normals + outward(p[3], p[0]);
          // Counter-clockwise: this one's previous face is the next one's next face, unless the fan ends here.
          const auto& next = quads[its_quads[(k + 1) % its_quads.size()]].corners;
          if (quad.side30 < 0)
            EXPECT_LT(distance(p[3] - p[0], next[1] - next[0]), 1e-12);
          else
            EXPECT_EQ(k + 1, its_quads.size());
        }
        boundary = boundary || quad.side01 >= 0 || quad.side30 >= 0;
      }
      EXPECT_LT(distance(normals, {}), 1e-12);
      EXPECT_EQ(boundary, e >= entities->count() - entities->boundary);
    }
  }
}

}  // namespace quoin::test
