#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quoin/error.hpp"
#include "quoin/point.hpp"

namespace quoin {

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
inline Point midpoint(Point a, Point b) { return 0.5 * (a + b); }
/// The z component of a x b: positive where b points to the left of a.
inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
double distance(Point a, Point b);

/// An edge with a cell on one side only, in the direction in which that cell is walked round counter-clockwise.
struct BoundaryEdge {
  std::int64_t from;
  std::int64_t to;
  std::int64_t cell;
  int side;  ///< index into Mesh::sides; -1 where nothing names it
};

/// A vertex that is the same as another one, a period away: its point is that of `representative` plus `shift`.
struct PeriodicVertex {
  std::int64_t vertex;
  std::int64_t representative;
  Point shift;
};

/// Triangles and convex quadrilaterals, also mixed.
struct Mesh {
  std::string source;  ///< what messages call the mesh: its file, or "the generated mesh"
  std::vector<Point> vertices;
  std::vector<std::int64_t> first{0};     ///< cell c has the corners first[c] to first[c + 1] - 1
  std::vector<std::int64_t> corners;      ///< vertices of the cells, counter-clockwise
  std::vector<BoundaryEdge> boundary;     ///< without the edges of sides that match_periodic() joined
  std::vector<std::string> sides;         ///< names
  std::vector<PeriodicVertex> periodic;   ///< by vertex; representatives are not in it
  std::vector<std::int64_t> vertex_name;  ///< a vertex's number in the file; 0: it came by refinement; empty: 1, 2, ...
  std::vector<std::int64_t> cell_name;    ///< a cell's, or its ancestor's, number in the file; empty: 1, 2, ...
  bool row_by_row = false;                ///< cells and vertices are numbered along x, then y

  [[nodiscard]] std::int64_t vertex_count() const { return static_cast<std::int64_t>(vertices.size()); }
  [[nodiscard]] std::int64_t cell_count() const { return static_cast<std::int64_t>(first.size()) - 1; }
  [[nodiscard]] std::span<const std::int64_t> cell(std::int64_t c) const {
    const auto begin = static_cast<std::size_t>(first[c]);
    return {corners.data() + begin, static_cast<std::size_t>(first[c + 1]) - begin};
  }
  /// Where in `corners` the edge's cell has the vertex edge.from.
  [[nodiscard]] std::int64_t corner_of(const BoundaryEdge& edge) const;
  /// Appends a cell without a name.
  void add_cell(std::span<const std::int64_t> its_corners);
};

/// Area, positive where the corners run counter-clockwise, and centroid of a cell.
struct CellGeometry {
  double area;
  Point centroid;
};
CellGeometry cell_geometry(const Mesh& mesh, std::int64_t cell);

/// The number of a vertex or cell for messages.
std::int64_t name_of_vertex(const Mesh& mesh, std::int64_t vertex);
std::int64_t name_of_cell(const Mesh& mesh, std::int64_t cell);

/// Cells that a mesh may have at most.
inline constexpr std::int64_t max_cells = std::int64_t{1} << 31;

/// ErrorKind::case_file: the mesh, what is wrong with it, and with which of its cells or vertices.
class MeshFault : public Error {
 public:
  enum class At { whole, cell, vertex };
  MeshFault(const Mesh& mesh, const std::string& what, At at, std::int64_t index)
      : Error(ErrorKind::case_file, mesh.source + ": " + what), at_(at), index_(index), said_(mesh.source.size() + 2) {}
  [[nodiscard]] At at() const { return at_; }
  [[nodiscard]] std::int64_t index() const { return index_; }
  /// what() without the mesh.
  [[nodiscard]] std::string said() const { return std::string(what()).substr(said_); }

 private:
  At at_;
  std::int64_t index_;
  std::size_t said_;
};

/// Throws it.
[[noreturn]] void refuse(const Mesh& mesh, const std::string& what, MeshFault::At at = MeshFault::At::whole,
                         std::int64_t index = 0);

/// Lower left and upper right corner of what the vertices span.
struct Box2D {
  Point low;
  Point high;
};
Box2D bounding_box(std::span<const Point> points);

/// For messages: `(0.5, 1)`, `vertex 17 at (0.5, 1)` and `cell 33 around (0.2, 0.3)`.
std::string describe(Point point);
std::string describe_vertex(const Mesh& mesh, std::int64_t vertex);
std::string describe_cell(const Mesh& mesh, std::int64_t cell);

}  // namespace quoin
