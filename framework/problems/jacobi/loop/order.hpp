#pragma once

#include <cstdint>

namespace quoin {

/// What the first rank has the others do along with it. Whatever is decided by the clock, by a signal or by a file is
/// decided there; what follows from the numbers is the same on all ranks.
struct Order {
  enum class Kind : std::int64_t {
    load_initial,  ///< the field that the case starts from
    load_zero,
    load_given,   ///< rows that the first rank sends
    run,          ///< from iteration `first` on, `count` of them
    measure,      ///< the norm of the iterate
    send_rows,    ///< [first, first + count) of the iterate, to the first rank
    write_rows,   ///< all, into the files of the first rank
    write_piece,  ///< of the field, into a file of the first rank
    finite,       ///< says whether they are
    end,
  };
  Kind kind = Kind::end;
  std::int64_t first = 0;
  std::int64_t count = 0;
  double tolerance = 0.0;
};

}  // namespace quoin
