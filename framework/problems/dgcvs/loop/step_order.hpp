#pragma once

#include <cstdint>

namespace quoin {

/// What the first rank has the others do along with it. What follows from the numbers is the same on all ranks.
struct StepOrder {
  enum class Kind : std::int64_t {
    step,        ///< to step `count`
    start,       ///< from `count` coefficients of cells that it has
    resume,      ///< from a state that it has
    take_cells,  ///< coefficient `count` of all, which it has
    take_vertices,
    send_cells,  ///< coefficient `count` of theirs
    send_vertices,
    write_cells,  ///< their coefficients, into the files of the first rank
    write_vertices,
    write_cell_piece,  ///< of a frame, into the files of the first rank
    write_vertex_piece,
    sample,  ///< sends those of `count` cells that it names
    finite,  ///< says whether they are
    end,
  };
  Kind kind = Kind::end;
  std::int64_t count = 0;
};

}  // namespace quoin
