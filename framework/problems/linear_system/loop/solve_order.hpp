#pragma once

#include <cstdint>

namespace quoin {

/// What the first rank has the others do along with it. What follows from the numbers is the same on all ranks.
struct SolveOrder {
  enum class Kind : std::int64_t {
    iterate,   ///< `count` iterations
    solution,  ///< sends it
    array,     ///< writes its part of that of KrylovSolver::write_array(count)
    restore,
    end,
  };
  Kind kind = Kind::end;
  std::int64_t count = 0;
};

}  // namespace quoin
