#include "report/results.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/files.hpp"
#include "quoin/results.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

constexpr std::size_t longest_text = 1U << 18;

/// The end of a file, from the start of a line on.
std::string tail_of(const fs::path& file, std::size_t most) {
  require_file(file);
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  const auto size = static_cast<std::size_t>(stream.tellg());
  const std::size_t start = size > most ? size - most : 0;
  stream.seekg(static_cast<std::streamoff>(start));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (start > 0) text.erase(0, text.find('\n') + 1);
  return text;
}

std::string head_of(const fs::path& file) {
  require_file(file);
  std::ifstream stream(file, std::ios::binary);
  std::string text(longest_text, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// Whether a run holds the folder. It is asked by taking the lock for a moment, as other readers may at the same time.
bool in_use(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return held;
}

void read_case(RunResults& run) {
  run.case_text = head_of(run.folder / case_name);
  try {
    // The plugin of the run may not be here, and its keys are not needed.
    run.the_case = Case::parse(run.case_text, case_name, {{"backend", "serial", "--backend"}}, KeyTable::standard());
  } catch (const Error& error) {
    run.case_fault = error.what();
  }
}

}  // namespace

std::optional<ResultKind> kind_of(const fs::path& folder) {
  const auto holds = [&folder](const char* name) { return fs::is_regular_file(folder / name); };
  if (holds(converge_name)) return ResultKind::converge;
  if (holds(compare_name)) return ResultKind::compare;
  if (holds(sweep_name)) return ResultKind::sweep;
  if (holds(summary_name) || holds(case_name)) return ResultKind::run;
  return std::nullopt;
}

Json read_object(const fs::path& file) {
  require_file(file);
  std::ifstream stream(file);
  Json json = Json::parse(stream, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json::object();
}

bool holds_run(const fs::path& folder) {
  const auto holds = [&folder](const char* name) {
    std::error_code none;
    return fs::is_regular_file(folder / name, none);
  };
  return holds(summary_name) || (holds(case_name) && holds(list_name));  // a case.yaml alone may be the user's own
}

std::string summary_of(const fs::path& folder) {
  const bool held = in_use(folder);
  const fs::path file = folder / summary_name;
  Json summary = read_object(file);
  if (summary.empty() && fs::exists(file)) throw Error(ErrorKind::io, "cannot be read as JSON", file.string());
  if (!summary.contains("status") || summary["status"] == "running") {
    summary["status"] = held ? "running" : "killed";
    if (const auto timing = read_curves(folder / timing_name); timing && timing->rows > 0 && timing->last.size() == 2) {
      summary["iterations"] = static_cast<std::int64_t>(timing->last[0]);
      summary["loop_seconds"] = timing->last[1];
    }
    if (const auto history = read_curves(folder / history_name); history && history->rows > 0) {
      const auto column = std::ranges::find(history->columns, "residual") - history->columns.begin();
      if (column < std::ssize(history->last)) summary["residual"] = history->last[static_cast<std::size_t>(column)];
    }
  }
  return summary.dump();
}

RunResults read_run(const fs::path& folder) {
  RunResults run;
  run.folder = folder;
  // Before its files are looked at: what ends meanwhile is told as going on, and rightly so by the next look.
  const bool held = in_use(folder);
  run.summary = read_object(folder / summary_name);
  run.status = text_at(run.summary, "/status");
  if (run.status.empty() || run.status == "running") run.status = held ? "running" : "killed";
  run.message = text_at(run.summary, "/message");
  run.history = read_curves(folder / history_name);
  run.timing = read_curves(folder / timing_name);
  run.log = tail_of(folder / log_name, longest_text / 4);
  read_case(run);
  return run;
}

std::optional<double> tolerance_of(const RunResults& run) {
  if (run.ended()) return number_at(run.summary, "/tolerance");
  const bool absolute = run.the_case && run.the_case->has("method.tolerance") &&
                        run.the_case->text("method.stop") == "tolerance" &&
                        run.the_case->real("method.relative_tolerance") <= 0.0;
  return absolute ? std::optional(run.the_case->real("method.tolerance")) : std::nullopt;
}

std::optional<double> number_at(const Json& json, const std::string& path) {
  const Json::json_pointer pointer(path);
  if (!json.contains(pointer) || !json[pointer].is_number()) return std::nullopt;
  return json[pointer].get<double>();
}

std::string text_at(const Json& json, const std::string& path) {
  const Json::json_pointer pointer(path);
  if (!json.contains(pointer) || !json[pointer].is_string()) return {};
  return json[pointer].get<std::string>();
}

const Json& list_at(const Json& json, const std::string& name) {
  static const Json none = Json::array();
  return json.is_object() && json.contains(name) && json[name].is_array() ? json[name] : none;
}

}  // namespace quoin
