#include "runs.hpp"

#include <algorithm>

#include "quoin/run.hpp"

namespace quoin {

std::string to_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json new_study(const Context& context, const CaseArguments& of_case) {
  return {{"version", 1}, {"case", of_case.file}, {"command_line", context.command_line}};
}

Json mistakes(const Error& error) {
  const auto* of_case = dynamic_cast<const CaseError*>(&error);
  if (of_case == nullptr) {
    const std::string where = error.where().empty() ? "" : error.where() + ": ";
    return Json::array(
        {{{"file", nullptr}, {"line", nullptr}, {"column", nullptr}, {"message", where + error.what()}}});
  }
  Json list = Json::array();
  for (const auto& [place, message] : of_case->diagnostics().mistakes()) {
    const bool known = place.line > 0;
    list.push_back({{"file", place.source},
                    {"line", known ? Json(place.line) : Json()},
                    {"column", known ? Json(std::max(place.column, 1)) : Json()},
                    {"message", message}});
  }
  return list;
}

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
  return one["field_sha256"] == other["field_sha256"] &&
         one.value("history_sha256", "") == other.value("history_sha256", "");
}

}  // namespace quoin
