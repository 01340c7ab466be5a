#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace quoin {

/// What tells apart the machines that results come from. What cannot be read is empty.
struct HostFacts {
  std::string name;
  std::string cpu;  ///< its model
  unsigned cores = 0;
  std::string os;  ///< the distribution and the kernel
  /// Versions of the GPU drivers that the kernel has loaded, such as `nvidia_driver`.
  std::map<std::string, std::string> drivers;
};

/// From the files of the system below `root`.
HostFacts host_facts(const std::filesystem::path& root = "/");

/// The time now, as 2026-01-31T23:59:59Z.
std::string utc_now();

}  // namespace quoin
