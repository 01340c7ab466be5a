#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "commands.hpp"
#include "quoin/bytes.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/communicators.hpp"
#include "quoin/error.hpp"
#include "quoin/problems.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

using Json = nlohmann::ordered_json;

// Each list is made once, as JSON; the text is a view of it.

Json device_json(const DeviceInfo& device, std::size_t index) {
  constexpr std::array kinds{"cpu", "gpu", "accelerator"};
  Json json{{"index", index},
            {"name", device.name},
            {"kind", kinds.at(static_cast<std::size_t>(device.kind))},
            {"memory_bytes", device.memory_bytes},
            {"units", device.units},
            {"subgroup", device.subgroup},
            {"peak_bandwidth", device.peak_bandwidth},
            {"memories", Json::array()},
            {"precisions", Json::array()},
            {"error_bound", device.error_bound},
            {"note", device.note},
            {"driver", device.driver},
            {"version", device.version}};
  for (const MemoryKind kind : device.memories) json["memories"].push_back(name_of(kind));
  for (const Precision p : device.precisions) {
    json["precisions"].push_back(p == Precision::float64 ? "double" : "float");
  }
  return json;
}

Json families_of(const Candidate& candidate) {
  Json list = Json::array();
  for (const auto& [family, hash] : candidate.kernels) list.push_back(family);
  return list;
}

Json backends_json(const Context& context) {
  Json list = Json::array();
  for (const Candidate& candidate : candidates(context)) {
    const Probed probed = probe_plugin(candidate);
    Json devices = Json::array();
    for (const DeviceInfo& device : probed.devices) devices.push_back(device_json(device, devices.size()));
    list.push_back({{"name", candidate.name},
                    {"version", candidate.version},
                    {"toolchain", candidate.toolchain},
                    {"file", candidate.file.string()},
                    {"kernels", families_of(candidate)},
                    {"usable", probed.reason.empty()},
                    {"reason", probed.reason},
                    {"devices", devices}});
  }
  return list;
}

/// Every device of every usable backend, each with `backend`.
Json devices_json(const Context& context) {
  Json list = Json::array();
  for (const Json& backend : backends_json(context)) {
    for (Json device : backend["devices"]) {
      device["backend"] = backend["name"];
      list.push_back(std::move(device));
    }
  }
  return list;
}

Json problems_json(const Context& context) {
  Json list = Json::array();
  open_problems(context);
  for (const ProblemType& type : problem_types()) {
    list.push_back({{"name", type.name}, {"meaning", type.meaning}, {"usable", true}, {"reason", ""}});
    if (const Candidate* plugin = plugin_of(type.name)) {
      list.back()["version"] = plugin->version;
      list.back()["file"] = plugin->file.string();
    }
  }
  for (const Candidate& plugin : problem_plugins()) {
    if (plugin.refusal.empty()) continue;
    list.push_back({{"name", plugin.name},
                    {"meaning", ""},
                    {"usable", false},
                    {"reason", plugin.refusal},
                    {"version", plugin.version},
                    {"file", plugin.file.string()}});
  }
  return list;
}

Json communicators_json(const Context& context) {
  Json list = Json::array();
  for (const Candidate& plugin : find_communicators(folders_of(context)))
    list.push_back({{"name", plugin.name},
                    {"version", plugin.version},
                    {"file", plugin.file.string()},
                    {"usable", plugin.refusal.empty()},
                    {"reason", plugin.refusal}});
  return list;
}

Json kernel_json(const CatalogueEntry& entry, const Cost& cost) {
  constexpr std::array kinds{"reals", "integers", "indices", "real", "integer"};
  constexpr std::array intents{"in", "out", "inout"};
  Json arguments = Json::array();
  for (const ArgumentSpec& argument : entry.arguments) {
    arguments.push_back({{"name", argument.name},
                         {"kind", kinds.at(static_cast<std::size_t>(argument.kind))},
                         {"intent", intents.at(static_cast<std::size_t>(argument.intent))},
                         {"optional", argument.optional}});
  }
  Json constants = Json::array();
  for (const ConstantSpec& constant : entry.constants)
    constants.push_back({{"name", constant.name},
                         {"first", constant.first},
                         {"last", constant.last},
                         {"last_in_float", constant.last_in_float}});
  return {{"name", entry.name},
          {"family", entry.family},
          {"meaning", entry.meaning},
          {"arguments", arguments},
          {"constants", constants},
          {"pattern", pattern_name(entry.pattern)},
          {"reals_per_point", cost.bytes / static_cast<double>(sizeof(double))},
          {"flops_per_point", cost.flops}};
}

/// Of one point in double.
Cost cost_of(const KernelSet& set, const CatalogueEntry& entry) {
  return set.cost({std::string(entry.name), Precision::float64, {}}, Box::line(1));
}

Json kernels_json(const Context& context) {
  open_problems(context);
  std::vector<KernelSet> sets = problem_kernels();
  sets.insert(sets.begin(), {catalogue, "", catalogue_cost});
  Json list = Json::array();
  std::set<std::string_view> seen;
  for (const KernelSet& set : sets) {
    for (const CatalogueEntry& entry : set.entries) {
      if (seen.insert(entry.name).second) list.push_back(kernel_json(entry, cost_of(set, entry)));
    }
  }
  return list;
}

/// Plugins and drivers say what they like.
std::string text_of(const Json& value) { return printable(value.get<std::string>(), /*one_line=*/true); }

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

/// `0: NAME, 2 units, 7.5 GiB (note)`
std::string device_text(const Json& device) {
  const int units = device["units"].get<int>();
  std::string text = std::to_string(device["index"].get<int>()) + ": " + text_of(device["name"]) + ", " +
                     text_of(device["kind"]) + ", " + std::to_string(units) + (units == 1 ? " unit" : " units");
  if (const auto bytes = device["memory_bytes"].get<double>(); bytes > 0) {
    text += ", " + in_bytes(bytes);
  }
  if (!text_of(device["note"]).empty()) text += " (" + text_of(device["note"]) + ")";
  return text;
}

/// The families of a backend that has not just those of Quoin; else empty.
std::string families_text(const Json& families) {
  std::string text;
  std::set<std::string> seen;
  for (const Json& family : families) {
    text += (text.empty() ? "  kernels of " : ", ") + text_of(family);
    seen.insert(family.get<std::string>());
  }
  std::set<std::string> own;
  for (const CatalogueEntry& entry : catalogue) own.emplace(entry.family);
  return seen == own || text.empty() ? "" : text + "\n";
}

/// `serial      1.0.0  FILE`
std::string plugin_text(const Json& plugin) {
  return padded(text_of(plugin["name"]), 12) + text_of(plugin["version"]) + "  " + text_of(plugin["file"]) + "\n";
}
std::string reason_text(const Json& plugin) {
  return plugin["usable"] ? "" : "  cannot be used: " + text_of(plugin["reason"]) + "\n";
}

std::string communicators_text(const Json& list) {
  std::string text;
  for (const Json& plugin : list) text += plugin_text(plugin) + reason_text(plugin);
  return text.empty() ? "no plugin connects ranks: build Quoin where an MPI is installed\n" : text;
}

/// A line, of a device that has more than its own.
std::string memories_text(const Json& device) {
  std::string text;
  for (const Json& kind : device["memories"]) text += (text.empty() ? "memory: " : ", ") + text_of(kind);
  return device["memories"].size() > 1 ? "     " + text + "\n" : "";
}

std::string backends_text(const Json& list) {
  std::string text;
  for (const Json& backend : list) {
    text += plugin_text(backend) + families_text(backend["kernels"]);
    for (const Json& device : backend["devices"]) text += "  " + device_text(device) + "\n" + memories_text(device);
    text += reason_text(backend);
  }
  return text.empty() ? "no plugins found\n" : text;
}

std::string devices_text(const Json& list) {
  std::string text;
  for (const Json& device : list) text += padded(text_of(device["backend"]), 12) + device_text(device) + "\n";
  return text.empty() ? "no devices found; 'quoin list backends' gives the reasons\n" : text;
}

std::string names_text(const Json& list) {
  std::string text;
  for (const Json& row : list) {
    text += padded(text_of(row["name"]), 20) + text_of(row["meaning"]) + "\n";
    if (!row.value("usable", true))
      text += "  cannot be used: " + text_of(row["file"]) + " " + text_of(row["reason"]) + "\n";
  }
  return text;
}

struct ListArguments {
  std::string what = "backends";
  bool json = false;
};

/// How each is found and shown, by what is asked for.
struct Listing {
  Json (*rows)(const Context& context);
  std::string (*text)(const Json& rows);
};
const std::map<std::string, Listing>& lists() {
  static const std::map<std::string, Listing> all{{"backends", {backends_json, backends_text}},
                                                  {"communicators", {communicators_json, communicators_text}},
                                                  {"devices", {devices_json, devices_text}},
                                                  {"kernels", {kernels_json, names_text}},
                                                  {"problems", {problems_json, names_text}}};
  return all;
}

int list(const Context& context, const ListArguments& arguments) {
  const std::string& what = arguments.what;
  const auto& [rows, text] = lists().at(what);
  const Json found = rows(context);
  print(arguments.json ? Json{{what, found}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : text(found));
  return 0;
}

}  // namespace

std::string_view pattern_name(Pattern pattern) {
  constexpr std::array<std::string_view, 9> names{"map",       "map_single", "map_groups", "map_rim",     "block_sums",
                                                  "list_sums", "own_map",    "own_sweeps", "own_entities"};
  return names.at(static_cast<std::size_t>(pattern));
}

void add_list(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "list",
      "List backends, devices, problems, kernels or communicators. A backend comes with its devices, or why it cannot "
      "be used; communicators connect ranks.");
  const auto arguments = std::make_shared<ListArguments>();
  command.add_option("what", arguments->what, "What to list [backends]")
      ->check(CLI::IsMember({"backends", "devices", "problems", "kernels", "communicators"}))
      ->type_name("WHAT");
  command.add_flag("--json", arguments->json, "For programs");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return list(context, *arguments); }; });
}

}  // namespace quoin
