#pragma once

#include <cstdint>

#include "problems/dgcvs/scheme/entities.hpp"

namespace quoin {

/// What the first rank has the others do along with it. What follows from the numbers is the same on all ranks.
struct StepOrder {
  enum class Kind : std::int64_t {
    step,         ///< to step `count`
    start,        ///< from `count` coefficients of cells that it has
    resume,       ///< from a state that it has
    take,         ///< coefficient `count` of all entities of a kind, which it has
    send,         ///< coefficient `count` of theirs
    write,        ///< all coefficients of theirs, into the files of the first rank
    frame,        ///< makes its piece of one of a kind, for what follows:
    give,         ///< its part of array `count` of the frame
    write_piece,  ///< its piece, into the files of the first rank
    end_frame,
    sample,  ///< sends those of `count` cells that it names
    errors,  ///< those of its cells
    finite,  ///< says whether they are
    end,
  };
  Kind kind = Kind::end;
  std::int64_t count = 0;
  EntityKind of = EntityKind::cells;
};

}  // namespace quoin
