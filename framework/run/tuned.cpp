#include "run/tuned.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quoin/problem.hpp"
#include "run/device_cache.hpp"

namespace quoin {
namespace {

using Json = nlohmann::json;

std::string shape_of(const Case& the_case) {
  const ProblemType& type = problem_type(the_case.text("problem.type"));
  return type.shape == nullptr ? "" : type.shape(the_case);
}

/// What the values of the tunable keys belong to: other settings of the backend matter, too.
DeviceCache cache_of(const Case& the_case, const BackendChoice& choice, const Candidate& plugin,
                     const DeviceInfo& device) {
  std::string what = fmt::format("{} {} {}", plugin.version, the_case.text("problem.type"), shape_of(the_case));
  for (const auto& [name, value] : choice.options) {
    if (!is_tunable(plugin, name)) what += fmt::format(" {}={}", name, value);
  }
  return {"tuned", plugin.file, device, what};
}

}  // namespace

bool is_tunable(const Candidate& plugin, const std::string& name) {
  return std::ranges::any_of(plugin.keys, [&](const Key& key) { return key.path == name && !key.tune.empty(); });
}

Tuned tuned_for(const Case& the_case) {
  if (shape_of(the_case).empty()) return {};
  return [&the_case](const BackendChoice& choice, const Candidate& plugin, const DeviceInfo& device) {
    OptionMap found;
    if (std::ranges::all_of(plugin.keys, [](const Key& key) { return key.tune.empty(); })) return found;
    const Json kept = cache_of(the_case, choice, plugin, device).read();
    const Json values = kept.is_object() ? kept.value("values", Json()) : Json();
    for (const Key& key : plugin.keys) {
      if (key.tune.empty()) continue;
      const Json value = values.is_object() ? values.value(key.path, Json()) : Json();
      if (!value.is_string() || std::ranges::find(key.tune, value.get<std::string>()) == key.tune.end())
        return OptionMap{};  // damaged
      if (!choice.options.contains(key.path)) found[key.path] = value.get<std::string>();
    }
    return found;
  };
}

bool write_tuned(const Case& the_case, const BackendChoice& choice, const Candidate& plugin, const DeviceInfo& device,
                 const OptionMap& values) {
  return cache_of(the_case, choice, plugin, device).write({{"values", values}});
}

}  // namespace quoin
