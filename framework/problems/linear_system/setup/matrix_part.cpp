#include "problems/linear_system/setup/matrix_part.hpp"

#include <algorithm>
#include <iterator>

#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

/// The columns in the rows of one rank that are others' elements, ascending.
std::vector<std::int64_t> ghosts_of(const SparseMatrix& matrix, const RowRange& rows, const RowRange& own) {
  std::vector<std::int64_t> ghosts;
  for (auto k = static_cast<std::size_t>(matrix.at[static_cast<std::size_t>(rows.first)]);
       k < static_cast<std::size_t>(matrix.at[static_cast<std::size_t>(rows.last)]); ++k) {
    const std::int64_t column = matrix.column[k];
    if ((column < own.first || column >= own.last) && (ghosts.empty() || ghosts.back() != column))
      ghosts.push_back(column);
  }
  std::ranges::sort(ghosts);
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  return ghosts;
}

std::int64_t whole_blocks(std::int64_t elements) { return vector_blocks(elements) * vector_block; }

/// The place in `sorted` from which on elements are not less.
std::int64_t place_of(const std::vector<std::int64_t>& sorted, std::int64_t element) {
  return std::ranges::lower_bound(sorted, element) - sorted.begin();
}

/// The rows of a range, or an empty one.
template <class Place>
SparseMatrix renumbered(const SparseMatrix& matrix, const RowRange& rows, const Place& place_of_column) {
  const auto first = matrix.at.begin() + rows.first;
  const auto last = matrix.at.begin() + rows.last;
  SparseMatrix made = matrix_with_room(rows.stored(), 0, *last - *first);
  std::transform(first + (rows.rows() > 0 ? 1 : 0), last + 1, std::back_inserter(made.at),
                 [&](std::int64_t at) { return at - *first; });
  std::transform(matrix.column.begin() + *first, matrix.column.begin() + *last, std::back_inserter(made.column),
                 place_of_column);
  made.value.assign(matrix.value.begin() + *first, matrix.value.begin() + *last);
  return made;
}

}  // namespace

Room room_for_both(const Room& a, const Room& b) { return {std::max(a.front, b.front), std::max(a.back, b.back)}; }

MatrixPart part_of(const SparseMatrix& matrix, const Cuts& rows, const Cuts& columns, int rank) {
  const RowRange own = columns[rank];
  const std::vector<std::int64_t> ghosts = ghosts_of(matrix, rows[rank], own);
  const auto count = static_cast<std::int64_t>(ghosts.size());
  const std::int64_t lower = place_of(ghosts, own.first);
  MatrixPart part;
  part.room = {whole_blocks(lower), whole_blocks(count - lower)};
  const std::int64_t behind = part.room.front + whole_blocks(own.stored());
  const auto place_of_ghost = [&](std::int64_t k) {
    return k < lower ? part.room.front - lower + k : behind + k - lower;
  };

  for (int other = 0; other < columns.ranks(); ++other) {
    if (other == rank) continue;
    const std::int64_t first = place_of(ghosts, columns[other].first);
    MatrixPart::Peer peer{other, {}, place_of_ghost(first), place_of(ghosts, columns[other].last) - first};
    const std::vector<std::int64_t> theirs = ghosts_of(matrix, rows[other], columns[other]);
    std::ranges::transform(theirs.begin() + place_of(theirs, own.first), theirs.begin() + place_of(theirs, own.last),
                           std::back_inserter(peer.out), [&](std::int64_t element) { return element - own.first; });
    if (peer.count > 0 || !peer.out.empty()) part.peers.push_back(std::move(peer));
  }

  part.matrix = renumbered(matrix, rows[rank], [&](std::int64_t column) {
    if (column >= own.first && column < own.last) return part.room.front + column - own.first;
    return place_of_ghost(place_of(ghosts, column));
  });
  part.matrix.columns = behind + part.room.back;
  return part;
}

}  // namespace quoin
