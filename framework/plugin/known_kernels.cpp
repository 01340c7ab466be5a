#include "plugin/known_kernels.hpp"

#include <deque>
#include <nlohmann/json.hpp>

#include "quoin/catalogue.hpp"
#include "quoin/kernels_hash.h"
#include "quoin/problems.hpp"

namespace quoin {
namespace {

struct Known {
  std::deque<KernelSet> sets{{catalogue, QUOIN_KERNELS, catalogue_cost}};  // whose elements stay where they are
  Hashes families = nlohmann::json::parse(QUOIN_KERNELS).get<Hashes>();
};

// Never destroyed, as plugins are never closed.
Known& known() {
  static Known& instance = *new Known;
  return instance;
}

}  // namespace

KnownKernel known_kernel(std::string_view name) {
  for (const KernelSet& set : known().sets) {
    if (const CatalogueEntry* entry = set.find(name); entry != nullptr) return {&set, entry};
  }
  return {};
}

const Hashes& known_families() { return known().families; }

void add_kernels(const KernelSet& set) {
  Known& all = known();
  const auto theirs = nlohmann::json::parse(set.hashes).get<Hashes>();
  for (const auto& [family, hash] : theirs) {
    const auto here = all.families.find(family);
    if (here != all.families.end() && here->second != hash)
      throw Error(ErrorKind::plugin, "has another family of kernels '" + family + "' than a problem opened before it");
  }
  for (const CatalogueEntry& entry : set.entries) {
    const bool new_here = all.families.find(entry.family) == all.families.end();
    if (new_here && known_kernel(entry.name).entry != nullptr)
      throw Error(ErrorKind::plugin,
                  "has another kernel '" + std::string(entry.name) + "' than a problem opened before it");
  }
  all.sets.push_back(set);
  all.families.insert(theirs.begin(), theirs.end());
}

std::vector<KernelSet> problem_kernels() { return {known().sets.begin() + 1, known().sets.end()}; }

}  // namespace quoin
