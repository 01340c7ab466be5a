#pragma once

// A page about a result folder, for people.

#include <filesystem>

namespace quoin {

struct ReportOptions {
  std::filesystem::path output;  ///< the page; empty: report.html in the folder
  int reload_seconds = 0;        ///< 0: never; else a page about a run that goes on reloads itself so often
};

/// Writes one self-contained HTML page about the folder of a run, of `quoin converge`, `compare` or `sweep`, whole or
/// not at all: how it ended, histories, fields as pictures, kernels, the case, versions. A run that goes on, or was
/// killed, is told as far as it went. Charts need gnuplot on PATH; without it the page says so and holds the tables.
/// Returns whether a run is going on in the folder. ErrorKind::io where the folder is absent or holds no result, or
/// where the page cannot be written.
bool write_report(const std::filesystem::path& folder, const ReportOptions& options);

}  // namespace quoin
