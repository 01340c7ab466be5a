#pragma once

#include <vector>

#include "problems/dgcvs/loop/time_loop.hpp"
#include "problems/samples.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// The points at which a case asks for the state, each with the cell that holds it.
class PointValues {
 public:
  /// Throws ErrorKind::case_file for a point outside the mesh. The set-up has to outlive it.
  explicit PointValues(const DgSetup& setup);

  /// Writes those that are due after the step that the loop has reached, at its last step all.
  void write(FieldSink& sink, const TimeLoop& loop) const;

 private:
  struct Located {
    SampleSet set;
    std::vector<std::int64_t> cells;     ///< one a point
    std::vector<std::int64_t> distinct;  ///< the same, sorted, each once
  };
  [[nodiscard]] std::vector<double> values(const Located& located, const TimeLoop& loop) const;

  const DgSetup& setup_;
  std::vector<Located> sets_;
};

}  // namespace quoin
