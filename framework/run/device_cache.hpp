#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "quoin/executor.hpp"

namespace quoin {

/// A JSON object that is kept between runs and belongs to a device of this machine, to the plugin file as it is now,
/// and to whatever else its name says. Without a cache folder nothing is kept.
class DeviceCache {
 public:
  /// `folder`: of the cache. `what`: what the file depends on besides the device, such as the backend's options.
  DeviceCache(const std::string& folder, const std::filesystem::path& plugin, const DeviceInfo& device,
              const std::string& what);
  /// Null where the file is absent, older than that, damaged or not this one. ErrorKind::io where it is no file.
  [[nodiscard]] nlohmann::json read(std::optional<std::chrono::hours> oldest = {}) const;
  /// False where that is impossible.
  bool write(nlohmann::json object) const;

 private:
  std::string key_;
  std::filesystem::path file_;  // empty: nowhere
};

}  // namespace quoin
