#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace quoin {

/// What summary.json in a folder tells of the run that has left it.
struct EarlierRun {
  std::string status;  ///< empty where there is no summary
  std::int64_t iterations = 0;
  std::string message;
  std::string text;                 ///< all of it
  std::vector<std::string> fields;  ///< files of fields and tables; only names that a run may give them
};
EarlierRun earlier_run(const std::filesystem::path& folder);

}  // namespace quoin
