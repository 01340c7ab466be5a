#include "run/device_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <span>

#include "base/sha256.hpp"
#include "quoin/cache.hpp"
#include "quoin/files.hpp"

namespace quoin {

namespace fs = std::filesystem;
using Json = nlohmann::json;

DeviceCache::DeviceCache(const std::string& folder, const fs::path& plugin, const DeviceInfo& device,
                         const std::string& what) {
  std::error_code none;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string name =
      fmt::format("{} {} {} {} {} {} {} {}", host.data(), plugin.string(),
                  fs::last_write_time(plugin, none).time_since_epoch().count(), fs::file_size(plugin, none),
                  device.name, device.units, device.memory_bytes, what);
  key_ = sha256_of(name);  // a name may hold any bytes, JSON may not
  const fs::path cache = cache_folder(folder);
  if (!cache.empty()) file_ = cache / (key_.substr(0, 32) + ".json");
}

Json DeviceCache::read(std::optional<std::chrono::hours> oldest) const {
  require_file(file_);
  std::error_code none;
  const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file_, none);
  if (none || (oldest && (age > *oldest || age < std::chrono::hours(-1)))) return {};
  std::ifstream stream(file_);
  Json object = Json::parse(stream, nullptr, false);
  if (!object.is_object() || object.value("key", Json()) != Json(key_)) return {};
  return object;
}

bool DeviceCache::write(Json object) const {
  object["key"] = key_;
  return !file_.empty() && write_whole(file_, object.dump() + "\n");
}

}  // namespace quoin
