#pragma once

#include <spdlog/spdlog.h>

#include <filesystem>

namespace quoin {

/// The one logger of the process: to standard error, and to a file once a run has a result folder.
spdlog::logger& log();
/// The least level that standard error shows, `info` at the start. A file always holds `debug` and above.
void log_level(spdlog::level::level_enum least);
/// Whether standard error is a terminal that shows colours, and they are wanted (NO_COLOR).
bool coloured_errors();
/// While a bar stands on standard error's last line, each line erases it first: the bar comes again below.
void log_over_bar(bool bar);
/// Starts a log file, in place of an earlier one or behind it; an empty path ends it. Throws ErrorKind::io where the
/// file cannot be opened or is a symbolic link.
void log_to(const std::filesystem::path& file, bool append = false);

}  // namespace quoin
