#pragma once

#include <vector>

#include "problems/dgcvs/device_level.hpp"
#include "problems/samples.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// The points at which a case asks for the state, each with the cell that holds it.
class PointValues {
 public:
  /// Throws ErrorKind::case_file for a point outside the mesh. The set-up has to outlive it.
  explicit PointValues(const DgSetup& setup);

  /// Whether any are due after a step from the time `before` to `time`.
  [[nodiscard]] bool due(std::int64_t step, double before, double time) const;
  /// Writes those that are due, or all: `cells` are at `time`.
  void write(FieldSink& sink, const DeviceLevel& cells, Queue& queue, std::int64_t step, double before, double time,
             bool all) const;

 private:
  struct Located {
    SampleSet set;
    std::vector<std::int64_t> cells;     ///< one a point
    std::vector<std::int64_t> distinct;  ///< the same, sorted, each once
  };
  [[nodiscard]] std::vector<double> values(const Located& located, const DeviceLevel& cells, Queue& queue) const;

  const DgSetup& setup_;
  std::vector<Located> sets_;
};

}  // namespace quoin
