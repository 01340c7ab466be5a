#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "mesh/staggered.hpp"
#include "problems/samples.hpp"
#include "quoin/case.hpp"
#include "quoin/executor.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// Of the local systems.
enum class Solver { sweeps, newton, matrices };
enum class Limiter { none, indicator, always };

struct DgMethod {
  explicit DgMethod(const Case& the_case);
  /// Launches at most that update the inner entities of a level, or those of the boundary.
  [[nodiscard]] std::size_t max_launches() const { return 1 + (split ? 2 : 0) + (newton ? 1 : 0); }
  /// Whether they are in one launch where a mesh has so many cells and edges on the boundary, and all do sweeps. A
  /// launch takes a GPU as long as the work on a few thousand cells; a processor does not mind.
  [[nodiscard]] bool goes_together(double cells, double boundary) const {
    return together || (few_together && cells <= 4096.0 && boundary > 0.0);
  }

  int order;
  Precision precision;
  std::optional<double> cfl;        ///< empty: what is stable
  std::optional<double> time_step;  ///< the longest that the user wants, in place of one by `cfl`
  double final_time;
  std::optional<std::int64_t> max_steps;  ///< empty: to the final time
  bool newton;                            ///< in the local solves
  bool split;                             ///< the loops of a half step in launches of their own
  std::int64_t sweeps;                    ///< 0: by the rule
  std::int64_t newton_iterations;         ///< 0: by the rule
  double limiter_threshold;               ///< of the indicator
  std::int64_t history_every;             ///< steps
  EntityOrder entities;                   ///< their numbering
  bool together;                          ///< those of the boundary in one launch with the others, in any case
  bool few_together;                      ///< ... where cells are few
  bool indexed;                           ///< ... behind which a list puts them
  std::optional<Every> frames;            ///< besides those of the start and the end
  Compression compression;                ///< of their pictures
};

}  // namespace quoin
