#pragma once

#include <cstdint>
#include <vector>

#include "problems/linear_system/setup/cuts.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// What a vector has room for beside a rank's own elements: whole blocks for those that it needs of lower ranks, and of
/// higher ones.
struct Room {
  std::int64_t front = 0;
  std::int64_t back = 0;
};
Room room_for_both(const Room& a, const Room& b);

/// What a rank stores of a matrix: its rows. Their columns are numbered as the vector lies in memory that is
/// multiplied: elements of lower ranks, the rank's own ones from room.front on, those of higher ranks behind its last
/// block. So the entries of a row keep their order, and their sum its bits.
struct MatrixPart {
  SparseMatrix matrix;
  Room room;
  struct Peer {
    int rank = 0;
    std::vector<std::int64_t> out;  ///< the own elements that it needs, from 0, ascending
    std::int64_t in = 0;            ///< where what comes from it begins in the vector
    std::int64_t count = 0;         ///< and how many elements that are
  };
  std::vector<Peer> peers;  ///< ascending
};
/// Rows of `matrix` are cut by `rows`, the vector by `columns`.
MatrixPart part_of(const SparseMatrix& matrix, const Cuts& rows, const Cuts& columns, int rank);

}  // namespace quoin
