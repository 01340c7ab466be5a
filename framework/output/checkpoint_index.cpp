#include "output/checkpoint_index.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr int index_version = 3;  // 1 had all arrays in the one file, 2 one part of each

[[noreturn]] void refuse_index(const std::string& what) { throw Error(ErrorKind::checkpoint, what); }

nlohmann::json to_json(const WrittenPart& written) {
  nlohmann::json ranges = nlohmann::json::array();
  for (const ArrayPart::Range& range : written.part.ranges) ranges.push_back({range.first, range.bytes});
  return {
      {"ranges", ranges}, {"count", written.part.count}, {"stride", written.part.stride}, {"sha256", written.sha256}};
}

bool is(const nlohmann::json& object, const char* key, bool (nlohmann::json::*kind)() const noexcept) {
  return object.is_object() && object.contains(key) && (object[key].*kind)();
}

/// A part of an array of so many bytes.
WrittenPart part_of(const nlohmann::json& part, std::uint64_t bytes) {
  if (!is(part, "ranges", &nlohmann::json::is_array) || !is(part, "count", &nlohmann::json::is_number_unsigned) ||
      !is(part, "stride", &nlohmann::json::is_number_unsigned) || !is(part, "sha256", &nlohmann::json::is_string))
    refuse_index("its index is damaged");
  WrittenPart written;
  written.sha256 = part["sha256"].get<std::string>();
  written.part.count = part["count"].get<std::uint64_t>();
  written.part.stride = part["stride"].get<std::uint64_t>();
  for (const nlohmann::json& range : part["ranges"]) {
    if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() || !range[1].is_number_unsigned())
      refuse_index("its index is damaged");
    written.part.ranges.push_back({range[0].get<std::uint64_t>(), range[1].get<std::uint64_t>()});
  }
  if (!written.part.fits(bytes)) refuse_index("its index is damaged");
  return written;
}

CheckpointIndex::Array array_of(const nlohmann::json& array, std::uint64_t version) {
  const bool one_part = version == 2;
  if (!is(array, "name", &nlohmann::json::is_string) || !is(array, "bytes", &nlohmann::json::is_number_unsigned) ||
      !(one_part ? is(array, "sha256", &nlohmann::json::is_string) : is(array, "parts", &nlohmann::json::is_array)))
    refuse_index("its index is damaged");
  CheckpointIndex::Array kept;
  kept.name = array["name"].get<std::string>();
  kept.bytes = array["bytes"].get<std::uint64_t>();
  if (!is_array_name(kept.name)) refuse_index("its index is damaged");
  if (one_part) {
    WrittenPart& whole = kept.parts.emplace_back();
    whole.part.ranges.push_back({0, kept.bytes});
    whole.sha256 = array["sha256"].get<std::string>();
  } else {
    for (const nlohmann::json& part : array["parts"]) kept.parts.push_back(part_of(part, kept.bytes));
  }
  return kept;
}

}  // namespace

std::string to_json(const CheckpointIndex& index) {
  nlohmann::json arrays = nlohmann::json::array();
  for (const CheckpointIndex::Array& array : index.arrays) {
    nlohmann::json parts = nlohmann::json::array();
    for (const WrittenPart& written : array.parts) parts.push_back(to_json(written));
    arrays.push_back({{"name", array.name}, {"bytes", array.bytes}, {"parts", parts}});
  }
  return nlohmann::json{
      {"version", index_version}, {"bytes", index.bytes}, {"sha256", index.sha256}, {"arrays", arrays}}
      .dump();
}

CheckpointIndex parse_checkpoint_index(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto is_of_file = [&](const nlohmann::json& object) {
    return is(object, "bytes", &nlohmann::json::is_number_unsigned) && is(object, "sha256", &nlohmann::json::is_string);
  };
  if (!is(json, "version", &nlohmann::json::is_number_unsigned) || !is_of_file(json))
    refuse_index("its index is damaged");
  const auto version = json["version"].get<std::uint64_t>();
  if (version < 1 || version > index_version)
    refuse_index("its index has version " + json["version"].dump() + " where this program knows " +
                 std::to_string(index_version));
  CheckpointIndex index{json["bytes"].get<std::uint64_t>(), json["sha256"].get<std::string>()};
  if (version == 1) return index;
  if (!is(json, "arrays", &nlohmann::json::is_array)) refuse_index("its index is damaged");
  for (const nlohmann::json& array : json["arrays"]) index.arrays.push_back(array_of(array, version));
  return index;
}

bool is_array_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
}

}  // namespace quoin
