#pragma once

// The members of a sweep: what their runs leave in their folders, and the tables made of it.

#include <filesystem>

#include "runs.hpp"

namespace quoin {

/// What a run has left in its folder.
enum class Left {
  nothing,  ///< to go on with
  part,     ///< a checkpoint
  all       ///< it came to its end, whatever that was
};
Left left_in(const std::filesystem::path& folder);

/// Puts how a member ended into its row: `status`, `exit_code`, `message` where there is one, and in `figures` the
/// numbers of its summary, those of sections by their paths. `said`: by the process that ended with `code`.
void put_end(Json& row, int code, const std::string& said = {});
/// The same of a member whose run has come to its end before.
void put_earlier_end(Json& row);

/// Whether all came to their ends.
bool all_ended(const Json& rows);
/// That of the first member that did not end well, or 0.
int first_exit_code(const Json& rows);

/// For spreadsheets: the values, how each ended, and all figures.
std::string members_csv(const Json& rows);
/// For people.
std::string members_table(const Json& rows, const std::vector<std::string>& keys);

}  // namespace quoin
