#pragma once

// What the commands share that run a case several times, or read what runs have left.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "quoin/error.hpp"

namespace quoin {

using Json = nlohmann::ordered_json;

/// JSON to read and to store. A command line may hold any bytes.
std::string to_text(const Json& json);

/// What the file of a study of a case begins with.
Json new_study(const Context& context, const CaseArguments& of_case);

/// What `error` says is wrong, each with `file`, `line`, `column` (null where there is no such place) and `message`.
Json mistakes(const Error& error);

/// Runs the case without showing its progress. Returns what summary.json holds, with the result folder as `directory`;
/// where there was no such run, `error` and `exit_code`. A mistake of the case file or of the command line throws.
Json try_run(const Context& context, const std::vector<Candidate>& plugins, const Case& the_case, bool force);

/// What a run has left in its folder.
struct StoredRun {
  std::filesystem::path folder;
  Json summary;
  std::optional<Case> the_case;
  std::string case_fault;  ///< why there is none, in a line
};
/// ErrorKind::io where the folder holds no run.
StoredRun stored_run(const std::filesystem::path& folder, const KeyTable& table);

/// The cells of rows, one below the other; `sides` has an `l` for each column that stands to the left, and an `r`.
std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::string_view sides);
/// As RFC 4180 has it: what has a comma, a quote or a line end stands in quotes. Of null nothing.
std::string csv_cell(const Json& value);

/// Whether an exit code says that a signal ended the run.
bool stopped_by_signal(int code);

/// Of all kernels of a run, by the device.
double kernel_seconds(const Json& summary);

/// Whether two runs ended with the same fields and had the same history, to the bit.
bool same_bits(const Json& one, const Json& other);

}  // namespace quoin
