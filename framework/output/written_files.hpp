#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

namespace quoin {

/// The first line of files.txt, the list of the files in a result folder that Quoin wrote there, a name a line. A name
/// is on the disk before its file appears: nothing of the user's is ever taken for a result.
inline constexpr const char* list_head = "# Quoin wrote these files; --force removes them.\n";

/// The names that the list in the folder holds, and no others than Quoin gives. Where there is no list, as in a folder
/// of an older version, those that the summary of a run there tells, if there is one or the run is known to be there.
/// Throws ErrorKind::io where the list is none of Quoin's.
std::set<std::string> written_files(const std::filesystem::path& folder, bool run_is_there = false);

/// Lists a file that is to be written into the folder beside a run, which may go on. Nothing where there is no list.
/// ErrorKind::io as for ResultFolder::claim.
void list_beside_run(const std::filesystem::path& folder, const std::string& name);

/// The file that a part of it is to become; other names as they are.
std::string whole_name(const std::string& name);

/// Refuses what lies in the folder under a name that is to be written, and is no file or not of an earlier run
/// (`written`). Of fields and tables `names` has neither the step nor the ending. ErrorKind::io.
void require_room(const std::filesystem::path& folder, const std::set<std::string>& written,
                  std::span<const std::string> names);

/// Throws ErrorKind::io for a file that is not Quoin's.
[[noreturn]] void refuse_in_the_way(const std::filesystem::path& file);

}  // namespace quoin
