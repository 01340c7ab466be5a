#include "bench/started.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "ranks.hpp"

namespace quoin::bench {
namespace {

/// Files that the run before has listed as its own, of which the summary must not be taken for the next one's; and to
/// remove hundreds of megabytes takes a tenth of a second.
void remove_results(const std::filesystem::path& folder) {
  std::ifstream list(folder / "files.txt");
  std::error_code none;
  for (std::string name; std::getline(list, name);)
    std::filesystem::remove(folder / std::filesystem::path(name).filename(), none);
}

}  // namespace

Json run_as_started(const Context& context, const Case& the_case, int ranks) {
  const std::filesystem::path folder = the_case.text("output.directory");
  const std::string file = folder.string() + ".yaml";
  const std::string said = folder.string() + ".log";
  std::filesystem::create_directories(folder.parent_path());
  remove_results(folder);
  std::ofstream(file) << the_case.resolved();
  std::vector<std::string> line{"quoin", "run", file, "--force", "--quiet"};
  for (const std::string& plugins : context.folders) line.insert(line.end(), {"--plugin-dir", plugins});
  const auto started = std::chrono::steady_clock::now();
  const int code = launch_ranks(ranks, line, said);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  std::ifstream summary(folder / "summary.json");
  if (!summary) return {{"error", fmt::format("the run ended with code {}; see {}", code, said)}, {"exit_code", code}};
  Json found = Json::parse(summary);
  found["directory"] = folder.string();
  found["process_seconds"] = took.count();
  return found;
}

}  // namespace quoin::bench
