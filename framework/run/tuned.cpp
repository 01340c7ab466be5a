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
  return type.tuning_key == nullptr ? "" : type.tuning_key(the_case);
}

/// What the values of the tunable keys belong to: other settings of the backend matter, too.
DeviceCache cache_of(const Case& the_case, const BackendChoice& choice, const Candidate& plugin,
                     const DeviceInfo& device) {
  return {"tuned", plugin.file, device,
          fmt::format("{} {} {}{}", plugin.version, the_case.text("problem.type"), shape_of(the_case),
                      fixed_options(plugin, choice))};
}

}  // namespace

std::string fixed_options(const Candidate& plugin, const BackendChoice& choice) {
  std::string text;
  for (const auto& option : choice.options) {
    const auto is_tuned = [&](const Key& key) { return key.path == option.first && !key.tune.empty(); };
    if (std::ranges::none_of(plugin.keys, is_tuned))
      text += fmt::format(" {}.{}={}", choice.name, option.first, option.second);
  }
  return text;
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
