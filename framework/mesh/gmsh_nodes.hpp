#pragma once

#include <utility>
#include <vector>

#include "mesh/gmsh_file.hpp"

namespace quoin {

/// The nodes of a file by their numbers, which may have gaps, and the vertices that they become.
class GmshNodes {
 public:
  GmshNodes(const GmshFile& file, const GmshStream& stream);

  /// Adds the vertices in the order of the file. Nodes that only point elements have become none.
  void add_vertices(Mesh& mesh);
  /// That of a node of this element; -1: it became none.
  [[nodiscard]] std::int64_t vertex(std::int64_t number, const GmshElement& element) const {
    return vertices_[find(number, element)];
  }
  /// Where the file has what became this vertex.
  [[nodiscard]] std::size_t place_of(std::int64_t vertex) const;

 private:
  [[nodiscard]] std::int64_t find(std::int64_t number, const GmshElement& element) const;
  [[nodiscard]] std::vector<char> needless() const;

  const GmshFile& file_;
  const GmshStream& stream_;
  std::vector<std::pair<std::int64_t, std::int64_t>> numbers_;  // sorted, with the index of each
  std::vector<std::int64_t> vertices_;
};

}  // namespace quoin
