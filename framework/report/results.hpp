#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/case.hpp"
#include "report/table.hpp"

namespace quoin {

using Json = nlohmann::ordered_json;

enum class ResultKind { run, converge, compare, sweep };

/// What a folder holds the results of; empty: of nothing.
std::optional<ResultKind> kind_of(const std::filesystem::path& folder);

/// What a run left in its folder, as far as it went. Whatever is absent or cannot be read is empty.
struct RunResults {
  std::filesystem::path folder;
  Json summary = Json::object();
  /// As summary.json says, but for a run without an end: `running` where it goes on, else `killed`.
  std::string status;
  std::string message;
  std::optional<CsvCurves> history;
  std::optional<CsvCurves> timing;
  std::string case_text;
  std::optional<Case> the_case;
  std::string case_fault;  ///< why there is none
  std::string log;         ///< its last lines

  [[nodiscard]] bool ended() const { return status != "running" && status != "killed"; }
};

/// The residual norm that ends the run; empty where none does, and until the run has told what a relative tolerance
/// comes to.
std::optional<double> tolerance_of(const RunResults& run);

RunResults read_run(const std::filesystem::path& folder);

/// The JSON object in a file; an empty object where it is not one.
Json read_object(const std::filesystem::path& file);

/// What lies at a path such as `/errors/l2`; empty where it is absent or of another type.
std::optional<double> number_at(const Json& json, const std::string& path);
std::string text_at(const Json& json, const std::string& path);
const Json& list_at(const Json& json, const std::string& name);

}  // namespace quoin
