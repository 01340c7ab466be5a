#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runs.hpp"

namespace quoin::bench::scaling {

/// What the rows of one backend and precision say about one iteration; times in seconds.
struct Sample {
  int ranks = 2;          ///< or more
  double entities = 0.0;  ///< nodes or cells of the largest part
  double loop = 0.0, kernels = 0.0;
  double messages = 0.0, bytes = 0.0, collectives = 0.0;  ///< of the rank with the most
};

/// The time of an iteration on any number of ranks:
///   kernels = per_entity * entities
///   others = latency * (messages + 2 ceil(log2 ranks) * collectives) + per_byte * bytes
struct Model {
  double per_entity = 0.0, latency = 0.0, per_byte = 0.0;  ///< seconds

  [[nodiscard]] double kernels(double entities) const { return per_entity * entities; }
  [[nodiscard]] double others(const Sample& at) const;
  [[nodiscard]] double loop(const Sample& at) const { return kernels(at.entities) + others(at); }
};

/// The kernels' rate is that of the most ranks, which share their hosts' memory as more would. Latency and bandwidth
/// are not negative, and such that the squares of errors, each next to the time of its loop, have the least sum.
/// Nothing where the samples are of fewer than two numbers of ranks.
std::optional<Model> fit(const std::vector<Sample>& samples);

/// Entities of the largest of so many parts of `nodes` along x and y. A part is whole rows of `rows_together`, or of
/// any entities where that is 0. 0 where there are more ranks than such parts.
double largest_part(const std::vector<std::int64_t>& nodes, std::int64_t rows_together, int ranks);

/// Fills `models` of a case with figures: those of each backend and precision whose rows of ranks with a core each let
/// one be fitted, drawn out to 10^5 ranks.
void add_models(Json& of_case);
/// The tables of the models of all cases; empty where there is none.
std::string models_text(const Json& study);

}  // namespace quoin::bench::scaling
