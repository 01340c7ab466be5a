#include "base/host.hpp"

#include <fmt/chrono.h>
#include <sys/utsname.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

namespace quoin {
namespace {

namespace fs = std::filesystem;

/// What follows `name`, blanks and the separator on the first such line of a file of the system; quotes are dropped.
std::string value_in(const fs::path& file, const std::string& name, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos || !line.starts_with(name)) continue;
    if (line.find_first_not_of(" \t", name.size()) != at) continue;
    line.erase(0, line.find_first_not_of(" \t\"", at + 1));
    return line.substr(0, line.find_last_not_of(" \t\"") + 1);
  }
  return {};
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

}  // namespace

HostFacts host_facts(const fs::path& root) {
  utsname system{};
  uname(&system);
  HostFacts facts;
  facts.name = system.nodename;
  facts.cpu = value_in(root / "proc/cpuinfo", "model name", ':');
  if (facts.cpu.empty()) facts.cpu = system.machine;  // not every processor tells its model there
  facts.cores = std::thread::hardware_concurrency();
  const std::string distribution = value_in(root / "etc/os-release", "PRETTY_NAME", '=');
  facts.os = (distribution.empty() ? "" : distribution + ", ") + system.sysname + " " + system.release;
  for (const std::string driver : {"nvidia", "amdgpu"})
    if (const std::string version = first_line(root / "sys/module" / driver / "version"); !version.empty())
      facts.drivers[driver + "_driver"] = version;
  return facts;
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace quoin
