#pragma once

#include <spdlog/spdlog.h>

#include <filesystem>

namespace quoin {

/// The one logger of the process: to standard error, and to a file once a run has a result folder.
spdlog::logger& log();
/// Adds a file to the log, whole from now on; an empty path removes it again.
void log_to(const std::filesystem::path& file);

}  // namespace quoin
