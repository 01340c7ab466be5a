#include "output/checkpoint_index.hpp"

#include <nlohmann/json.hpp>

#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr int index_version = 1;

[[noreturn]] void refuse_index(const std::string& what) { throw Error(ErrorKind::checkpoint, what); }

}  // namespace

std::string to_json(const CheckpointIndex& index) {
  return nlohmann::json{{"version", index_version}, {"bytes", index.bytes}, {"sha256", index.sha256}}.dump();
}

CheckpointIndex parse_checkpoint_index(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto is = [&](const char* key, bool (nlohmann::json::*kind)() const noexcept) {
    return json.is_object() && json.contains(key) && (json[key].*kind)();
  };
  if (!is("version", &nlohmann::json::is_number_unsigned) || !is("bytes", &nlohmann::json::is_number_unsigned) ||
      !is("sha256", &nlohmann::json::is_string))
    refuse_index("its index is damaged");
  if (json["version"] != index_version)
    refuse_index("its index has version " + json["version"].dump() + " where this program knows " +
                 std::to_string(index_version));
  return {json["bytes"].get<std::uint64_t>(), json["sha256"].get<std::string>()};
}

}  // namespace quoin
