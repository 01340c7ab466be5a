#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/html.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

struct Label {
  const char* name;
  const char* unit;
};

/// What the members of summary.json are called; the others go by their own names.
const std::map<std::string, Label, std::less<>>& labels() {
  static const std::map<std::string, Label, std::less<>> all{
      {"problem", {"Problem", ""}},
      {"backend", {"Backend", ""}},
      {"device", {"Device", ""}},
      {"precision", {"Precision", ""}},
      {"iterations", {"Iterations", ""}},
      {"residual", {"Residual norm", ""}},
      {"tolerance", {"Tolerance", ""}},
      {"algebraic_error", {"Algebraic error, estimated", ""}},
      {"time", {"Time reached", ""}},
      {"steps", {"Time steps", ""}},
      {"time_step", {"Time step", ""}},
      {"mass.start", {"Mass at the start", ""}},
      {"mass.end", {"Mass at the end", ""}},
      {"mass.drift", {"Change of mass", ""}},
      {"entities.cells", {"Cells", ""}},
      {"entities.vertices", {"Vertices", ""}},
      {"matrix.rows", {"Rows of the matrix", ""}},
      {"matrix.entries", {"Entries", ""}},
      {"matrix.longest_row", {"Entries of the longest row", ""}},
      {"matrix.format", {"Format", ""}},
      {"matrix.bytes", {"Matrix on the device", "B"}},
      {"matrix.shared", {"Part of it that slices share", ""}},
      {"residual_recurrence", {"Residual norm of the recurrence", ""}},
      {"residual_replacements", {"Times that it was replaced by b - A x", ""}},
      {"breakdown_restarts", {"Restarts after a breakdown", ""}},
      {"initial_residual", {"Residual norm at the start", ""}},
      {"rhs_norm", {"Norm of the right-hand side", ""}},
      {"preconditioner.levels", {"Levels of the preconditioner", ""}},
      {"preconditioner.coarsest_rows", {"Rows of the coarsest", ""}},
      {"preconditioner.operator_complexity", {"Entries of all levels by those of A", ""}},
      {"entity_updates_per_second", {"Entity updates a second", ""}},
      {"errors.l1", {"Error in L1", ""}},
      {"errors.l2", {"Error in L2", ""}},
      {"errors.linf", {"Error in L∞", ""}},
      {"wall_seconds", {"Time by the clock", "s"}},
      {"setup_seconds", {"Set-up", "s"}},
      {"setup_parts_seconds.read", {"Reading in it", "s"}},
      {"setup_parts_seconds.device", {"Opening the device", "s"}},
      {"setup_parts_seconds.evaluate", {"Evaluating", "s"}},
      {"setup_parts_seconds.upload", {"Copying to the device", "s"}},
      {"loop_seconds", {"Loop", "s"}},
      {"end_seconds.fields", {"Fields behind the loop", "s"}},
      {"end_seconds.checkpoint", {"Checkpoint behind it", "s"}},
      {"end_seconds.errors", {"Errors", "s"}},
      {"end_seconds.rates", {"Rates of the device", "s"}},
      {"launches", {"Launches", ""}},
      {"copied_bytes.to_device", {"Copied to the device", "B"}},
      {"copied_bytes.from_device", {"Copied back", "B"}},
      {"copy_gbytes_per_second", {"Memory, copy", "GB/s"}},
      {"triad_gbytes_per_second", {"Memory, triad", "GB/s"}},
      {"multiply_add_gflops_per_second", {"Multiply-adds", "GFLOP/s"}},
  };
  return all;
}

/// Told elsewhere on the page, or for programs.
bool told_elsewhere(const std::string& name) {
  constexpr std::array names{"version",  "status",       "exit_code", "message", "title", "date",
                             "versions", "command_line", "kernels",   "fields",  "host"};
  return std::ranges::find(names, name) != names.end() || name.ends_with("_sha256");
}

void add_facts(const Json& json, const std::string& prefix, html::Facts& list) {
  for (const auto& [key, value] : json.items()) {
    const std::string name = prefix + key;
    if (prefix.empty() && (told_elsewhere(name) || (name == "iterations" && json.contains("steps")))) continue;
    if (value.is_object() && prefix.empty()) {
      add_facts(value, name + ".", list);
    } else if (value.is_primitive() && !value.is_null()) {
      const auto found = labels().find(name);
      const Label label = found == labels().end() ? Label{name.c_str(), ""} : found->second;
      list.emplace_back(label.name, html::value(value, label.unit));
    }
  }
}

/// What the last rows of the growing files say of a run without an end.
html::Facts so_far(const RunResults& run) {
  html::Facts list;
  if (run.history && run.history->rows > 0) {
    for (std::size_t k = 0; k < run.history->columns.size(); ++k)
      list.emplace_back("Last " + run.history->columns[k], html::value(run.history->last[k]));
  }
  if (run.timing && run.timing->rows > 0 && run.timing->last.size() == 2) {
    list.emplace_back("Iterations or steps done", html::value(run.timing->last[0]));
    list.emplace_back("After", html::value(run.timing->last[1], "s"));
  }
  if (const auto tolerance = tolerance_of(run)) list.emplace_back("Tolerance", html::value(*tolerance));
  for (const char* fact : {"problem", "backend", "device", "precision"})
    if (const std::string text = text_at(run.summary, std::string("/") + fact); !text.empty())
      list.emplace_back(labels().find(fact)->second.name, html::escaped(text));
  return list;
}

/// Warnings and errors of the log.
std::string complaints(const std::string& log) {
  std::string result;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string line = log.substr(at, end - at);
    if (line.find(" warning: ") != std::string::npos || line.find(" error: ") != std::string::npos)
      result += line + "\n";
    at = end + 1;
  }
  return result;
}

}  // namespace

std::string status_of(const RunResults& run) {
  static const std::map<std::string, std::string, std::less<>> meanings{
      {"converged", "Converged"},
      {"completed", "Completed"},
      {"not_converged", "Not converged: the iteration limit came first"},
      {"stagnated", "Stagnated: the residual cannot reach the tolerance in this precision"},
      {"max_steps", "Ended before the final time: the limit of time steps came first"},
      {"diverged", "Diverged"},
      {"interrupted", "Interrupted by a signal"},
      {"failed", "Failed"},
      {"running", "Still running; this page shows what there is so far"},
      {"killed", "Ended without a word: it was killed, or the machine went down. This page shows what it left"}};
  const auto meaning = meanings.find(run.status);
  std::string text = meaning == meanings.end() ? run.status : meaning->second;
  if (!run.message.empty()) text += ": " + run.message;
  const std::string name = meaning == meanings.end() ? "failed" : run.status;
  return fmt::format("<p class=\"status {}\" data-status=\"{}\">{}</p>\n", name, html::escaped(run.status),
                     html::escaped(text));
}

std::string summary_section(const RunResults& run) {
  html::Facts list;
  if (run.ended()) {
    add_facts(run.summary, "", list);
  } else {
    list = so_far(run);
  }
  std::string content = html::facts(list);
  if (const std::string lines = complaints(run.log); !lines.empty())
    content += "<h3>Warnings and errors</h3>\n" + html::long_text(lines);
  return html::section("summary", run.ended() ? "How it ended" : "How far it came", content);
}

std::string case_section(const RunResults& run) {
  std::string content;
  if (const std::string line = text_at(run.summary, "/command_line"); !line.empty())
    content += "<h3>Command</h3>\n" + html::long_text(line);
  content += run.case_text.empty() ? html::note("There is no case.yaml in the folder.")
                                   : "<h3>The case, every default written out</h3>\n" + html::long_text(run.case_text);
  if (!run.log.empty()) content += html::details("run.log", html::long_text(run.log));
  content = html::section("case", "The case", content);
  html::Facts versions;
  if (const std::string date = text_at(run.summary, "/date"); !date.empty())
    versions.emplace_back("Began", html::escaped(date));
  const Json none = Json::object();
  const Json& host = run.summary.contains("host") && run.summary["host"].is_object() ? run.summary["host"] : none;
  for (const auto& [key, label] : {std::pair("name", "Host"), {"cpu", "CPU"}, {"cores", "Cores"}, {"os", "System"}})
    if (host.contains(key)) versions.emplace_back(label, html::value(host[key]));
  if (run.summary.contains("versions") && run.summary["versions"].is_object()) {
    for (const auto& [name, version] : run.summary["versions"].items())
      versions.emplace_back(name, html::value(version));
  }
  for (const char* hash : {"case_sha256", "field_sha256", "history_sha256"})
    if (const std::string text = text_at(run.summary, std::string("/") + hash); !text.empty())
      versions.emplace_back(hash, html::escaped(text));
  return content + html::section("versions", "Machine and versions",
                                 versions.empty() ? html::note("They are known once summary.json is there.")
                                                  : html::facts(versions));
}

}  // namespace quoin
