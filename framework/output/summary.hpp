#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/host.hpp"
#include "quoin/problem.hpp"
#include "quoin/run.hpp"
#include "ranks/facts.hpp"

namespace quoin {

/// What summary.json tells of a run. Times in seconds.
struct Summary {
  Status status = Status::running;
  int exit_code = 0;
  std::string message;  ///< why it diverged or failed; else empty
  std::string title;    ///< of the case; may be empty
  std::string date;     ///< when the run began, or went on: ISO 8601, UTC
  HostFacts host;
  std::string problem;
  std::string backend;
  std::string device;
  OptionMap tuned;                   ///< keys of the backend that an earlier `quoin tune` has set
  std::string precision = "double";  ///< which a problem without a key for it computes in
  std::int64_t iterations = 0;
  struct Resumed {
    std::int64_t iterations = 0;
    std::string backend;  ///< that wrote the checkpoint
  };
  std::optional<Resumed> resumed{};  ///< empty: the run began at the start
  std::vector<RankFacts> ranks;      ///< of a run on several
  std::optional<double> residual;
  std::optional<double> time;   ///< that the problem reached, where it advances in time
  std::vector<Figure> figures;  ///< what the problem adds
  std::optional<Errors> errors;
  double wall_seconds = 0.0;
  double setup_seconds = 0.0;
  /// What that went into: "read" (the case, its mesh or matrix), "device" (choosing and opening it), "upload" (calls
  /// that copy to it), and the rest, "evaluate" (formulas, geometry, kernels).
  std::vector<std::pair<std::string, double>> setup_parts;
  double loop_seconds = 0.0;  ///< of the time or iteration loop: kernels, their launches, transfers, files of frames
  /// Behind the loop, by what they went into: "fields", "checkpoint", "errors", "rates" of the device.
  std::vector<std::pair<std::string, double>> end_seconds;
  std::vector<KernelRow> kernels;  ///< the costliest first
  std::uint64_t launches = 0;
  Copied copied;
  StreamRates rates;  ///< of the device; 0 where not measured
  std::map<std::string, std::string> versions;
  std::string command_line;
  std::string case_sha256;
  std::string field_sha256;
  std::string history_sha256;
  std::vector<std::string> fields;  ///< files of fields and tables
};

/// The text of summary.json. Its keys are kept stable; a number that is not known or not finite is null.
std::string to_json(const Summary& summary);

/// The closing table: a line a kernel, and one of where the time by the clock went.
std::string kernel_table(const Summary& summary);

}  // namespace quoin
