// Problems from outside.

#include "plugin/problems.hpp"

#include <algorithm>

#include "plugin/known_kernels.hpp"
#include "plugin/loader.hpp"
#include "quoin/error.hpp"
#include "quoin/plugin_abi.h"
#include "quoin/problems.hpp"

namespace quoin {
namespace {

std::vector<Candidate>& found() {
  static std::vector<Candidate>& plugins = *new std::vector<Candidate>;
  return plugins;
}

}  // namespace

ProblemPlugin load_problem(const Candidate& candidate, LibraryOpener& opener) {
  ProblemPlugin plugin;
  open_symbol(candidate, opener, QUOIN_PROBLEM_SYMBOL, "QUOIN_PROBLEM",
              [&plugin](void* symbol) { reinterpret_cast<void (*)(ProblemPlugin*)>(symbol)(&plugin); });
  if (plugin.type.name != candidate.name || plugin.type.make == nullptr)
    throw Error(ErrorKind::plugin,
                "the plugin's type is called '" + plugin.type.name + "', or makes no problem; its manifest says '" +
                    candidate.name + "'",
                candidate.file.string());
  return plugin;
}

void open_problems(const std::vector<std::filesystem::path>& folders, LibraryOpener& opener) {
  for (Candidate& candidate : find_problems(folders)) {
    const auto same = [&](const Candidate& other) { return other.file == candidate.file; };
    if (std::ranges::any_of(found(), same)) continue;
    if (candidate.refusal.empty()) candidate.refusal = probe_plugin(candidate).reason;
    if (candidate.refusal.empty()) {
      try {
        const ProblemPlugin plugin = load_problem(candidate, opener);
        add_kernels(plugin.kernels);
        register_problem(plugin.type);
      } catch (const Error& e) {
        candidate.refusal = e.what();
      }
    }
    found().push_back(std::move(candidate));
  }
}

const std::vector<Candidate>& problem_plugins() { return found(); }

const Candidate* plugin_of(std::string_view problem) {
  for (const Candidate& plugin : found()) {
    if (plugin.name == problem && plugin.refusal.empty()) return &plugin;
  }
  return nullptr;
}

std::vector<Candidate> candidates_for(const std::string& problem, std::vector<Candidate> candidates) {
  const Candidate* const plugin = plugin_of(problem);
  if (plugin == nullptr) return candidates;
  const auto lacking = [&](const Candidate& candidate) {
    std::string list;
    for (const auto& [family, hash] : plugin->kernels) {
      const auto here = candidate.kernels.find(family);
      if (here == candidate.kernels.end() || here->second != hash) list += (list.empty() ? "'" : ", '") + family + "'";
    }
    return list;
  };
  std::vector<Candidate> chosen;
  for (Candidate& candidate : candidates) {
    const auto named = [&](const Candidate& other) { return other.name == candidate.name; };
    const std::string lacks = candidate.refusal.empty() ? lacking(candidate) : "";
    if (!lacks.empty()) {
      const auto offers = [&](const Candidate& other) {
        return named(other) && other.refusal.empty() && lacking(other).empty();
      };
      if (std::ranges::any_of(candidates, offers) || std::ranges::any_of(chosen, named)) continue;
      candidate.refusal = "has no kernels of the family " + lacks + ", which the problem '" + problem +
                          "' needs: build that backend for it (quoin_add_problem does, where it finds the compiler)";
    }
    chosen.push_back(std::move(candidate));
  }
  return chosen;
}

}  // namespace quoin
