#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// What a rank has of a frame: Lagrange cells of the scheme's order, which are the cells themselves, or the sub-quads
/// of the vertices.
struct ElementPiece {
  /// An array of which each rank has a part, and the bytes of it that are of its entities inside: they come first, and
  /// the others are on the boundary.
  struct Array {
    std::string name;
    std::size_t inside;
  };
  ElementFields frame;  ///< its entities as they are numbered among all
  std::vector<Array> arrays;
  std::vector<std::int64_t> entities;  ///< the numbers

  /// The end of `arrays` for one that is the same on all ranks.
  [[nodiscard]] auto part_of(const std::string& array) const { return std::ranges::find(arrays, array, &Array::name); }
};
/// A frame of some entities, of which the values at the nodes are held, and what else is large is made when it is asked
/// for.
class Elements {
 public:
  /// `solution` outlives this.
  Elements(const Solution& solution, const EntityPart& part);
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  /// To be used as long as this is there.
  [[nodiscard]] ElementsOfRanks by_array() const;
  /// All of it.
  [[nodiscard]] ElementPiece piece() const;

 private:
  /// Of the frame.
  struct Cell {
    CellShape shape;
    std::array<Point, 4> corners;
    Point centre;  ///< of its polynomial
  };
  struct Place {
    std::size_t cell, node;
  };
  [[nodiscard]] std::span<const std::int64_t> quads_of(std::size_t entity) const;
  [[nodiscard]] Cell cell_of(std::size_t entity, std::size_t number) const;
  template <class Visit>
  void each_cell(std::size_t entity, const Visit& visit) const;
  void put_nodes(const Cell& cell, Point* nodes) const;
  void make_room();
  void fill(std::size_t entity, const Bed& bed);
  void fill_cell(Place at, std::size_t entity, const Cell& cell, std::size_t count, const Bed& bed);
  void add_data();
  void give(const std::string& array, const TakeBytes& take) const;

  const Solution& solution_;
  const DgSetup& setup_;
  const bool cells_;
  const std::size_t unknowns_;
  ElementFields frame_;  // without nodes and coefficients
  std::vector<Point> square_, triangle_;
  std::vector<std::int64_t> numbers_;  // of the entities
  std::vector<Place> places_;          // of the first cell and node of each, and the ends of all
  std::size_t inside_;                 // entities, which come first
  std::vector<std::int64_t> owner_;    // of each cell of the frame
  std::vector<double> centres_, length_;
};

/// Makes the piece a frame of its own: entities are numbered from 0 on, and what they are among all is told as well.
void stand_alone(ElementPiece& piece);

}  // namespace quoin
