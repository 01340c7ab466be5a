#pragma once

// Values at points and along lines, which a case asks for again and again as the run goes on: `output.probes` and
// `output.lines`.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quoin/case.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// What a run advances in, and a plain number of an `every` counts.
enum class RunsBy { iterations, time };

/// How often: after each multiple of so many steps or iterations, or of so much time of the simulation.
class Every {
 public:
  static Every steps(std::int64_t count) { return {count, 0.0}; }
  /// The value of a case's key. Throws ErrorKind::case_file where it says neither.
  Every(const Case& the_case, const std::string& key, RunsBy by);

  /// Whether `step`, which leads from the time `before` to `time`, comes to a multiple or beyond.
  [[nodiscard]] bool reached(std::int64_t step, double before = 0.0, double time = 0.0) const;
  /// Steps from `done` to the next multiple; no end where times are counted.
  [[nodiscard]] std::int64_t until(std::int64_t done) const {
    return count_ > 0 ? count_ - done % count_ : std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] std::int64_t count() const { return count_; }  ///< of steps; 0: by time
  [[nodiscard]] double time() const { return time_; }

 private:
  Every(std::int64_t count, double time) : count_(count), time_(time) {}
  std::int64_t count_ = 0;
  double time_ = 0.0;
};

/// The key of an `every`, without a default.
Key every_key(const std::string& path, RunsBy by, const std::string& meaning);
/// The keys below `output.probes` and `output.lines`. `in_space`: whether the problem's points may lie in space.
std::vector<Key> sample_keys(RunsBy by, bool in_space = false);

/// The probes of a case, or one of its lines. They are written at the start, at each `every`, and at the end.
struct SampleSet {
  std::string line;  ///< its name; empty: the probes
  std::vector<Point> points;
  std::vector<double> z;       ///< of each, in space; else empty
  std::optional<Every> every;  ///< empty: at the start and the end alone

  /// Whether values are asked for after `step`; at the end they are in any case.
  [[nodiscard]] bool due(std::int64_t step, double before = 0.0, double time = 0.0) const {
    return step == 0 || (every && every->reached(step, before, time));
  }
  /// For the case: the key that gives point k.
  [[nodiscard]] std::string key(std::size_t k) const;
};
std::vector<SampleSet> sample_sets(const Case& the_case, RunsBy by);
/// What their files are called, without step and ending.
std::vector<std::string> sample_files(const Case& the_case);

/// The step, the time or the like that values belong to.
struct Moment {
  std::int64_t step;
  std::vector<std::string> columns;
  Row row;
};
/// Adds to probes.csv, or writes LINE-STEP.csv: a row a point, of the moment, the probe's number (from 1) or the
/// distance from the start of the line, x, y, in space z, and the values: those of one point after another, each as
/// many as `variables`.
void write_samples(FieldSink& sink, const SampleSet& set, const Moment& moment,
                   const std::vector<std::string>& variables, std::span<const double> values);

}  // namespace quoin
