#include "runs.hpp"

#include "quoin/error.hpp"
#include "quoin/run.hpp"

namespace quoin {

Json try_run(const Context& context, const std::vector<Candidate>& plugins, const Case& the_case, bool force) {
  try {
    const Outcome outcome =
        run_case(the_case, plugins, {.quiet = true, .force = force, .command_line = context.command_line});
    Json summary = Json::parse(outcome.summary);
    summary["directory"] = outcome.directory.string();
    return summary;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::case_file || error.kind() == ErrorKind::usage) throw;
    return {{"error", error.what()}, {"exit_code", error.exit_code()}};
  }
}

bool stopped_by_signal(int code) { return code > 128; }

double kernel_seconds(const Json& summary) {
  double seconds = 0.0;
  for (const Json& kernel : summary["kernels"]) seconds += kernel["seconds"].get<double>();
  return seconds;
}

bool same_bits(const Json& one, const Json& other) {
  return one["field_sha256"] == other["field_sha256"] && one["history_sha256"] == other["history_sha256"];
}

}  // namespace quoin
