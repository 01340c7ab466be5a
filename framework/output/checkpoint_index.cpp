#include "output/checkpoint_index.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr int index_version = 2;  // 1 had all arrays in the one file

[[noreturn]] void refuse_index(const std::string& what) { throw Error(ErrorKind::checkpoint, what); }

}  // namespace

std::string to_json(const CheckpointIndex& index) {
  nlohmann::json arrays = nlohmann::json::array();
  for (const CheckpointIndex::Array& array : index.arrays)
    arrays.push_back({{"name", array.name}, {"bytes", array.bytes}, {"sha256", array.sha256}});
  return nlohmann::json{
      {"version", index_version}, {"bytes", index.bytes}, {"sha256", index.sha256}, {"arrays", arrays}}
      .dump();
}

CheckpointIndex parse_checkpoint_index(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto is = [](const nlohmann::json& object, const char* key, bool (nlohmann::json::*kind)() const noexcept) {
    return object.is_object() && object.contains(key) && (object[key].*kind)();
  };
  const auto is_of_file = [&](const nlohmann::json& object) {
    return is(object, "bytes", &nlohmann::json::is_number_unsigned) && is(object, "sha256", &nlohmann::json::is_string);
  };
  if (!is(json, "version", &nlohmann::json::is_number_unsigned) || !is_of_file(json))
    refuse_index("its index is damaged");
  if (json["version"] != 1 && json["version"] != index_version)
    refuse_index("its index has version " + json["version"].dump() + " where this program knows " +
                 std::to_string(index_version));
  CheckpointIndex index{json["bytes"].get<std::uint64_t>(), json["sha256"].get<std::string>()};
  if (json["version"] == 1) return index;
  if (!is(json, "arrays", &nlohmann::json::is_array)) refuse_index("its index is damaged");
  for (const nlohmann::json& array : json["arrays"]) {
    if (!is_of_file(array) || !is(array, "name", &nlohmann::json::is_string)) refuse_index("its index is damaged");
    index.arrays.push_back(
        {array["name"].get<std::string>(), array["bytes"].get<std::uint64_t>(), array["sha256"].get<std::string>()});
    if (!is_array_name(index.arrays.back().name)) refuse_index("its index is damaged");
  }
  return index;
}

bool is_array_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
}

}  // namespace quoin
