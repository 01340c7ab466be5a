#pragma once

// Kernels by their names, for those who look at them as data: `quoin list`, conformance, the loader. Quoin has one set;
// a problem from outside brings another, with the families of its own in it.

#include <map>
#include <span>
#include <string_view>

#include "quoin/kernel_entry.hpp"

namespace quoin {

namespace conformance {
struct DeviceUnderTest;
class Cases;
/// The cases of one kernel in each precision: what its oracle checks.
struct KernelCheck {
  std::string_view kernel;
  void (*in_double)(DeviceUnderTest&, Cases&);
  void (*in_float)(DeviceUnderTest&, Cases&);
};
using KernelChecks = std::map<std::string_view, KernelCheck>;
}  // namespace conformance

/// The kernels that one program or plugin was compiled with.
struct KernelSet {
  std::span<const CatalogueEntry> entries;
  const char* hashes = "{}";  ///< JSON: each family with the hash of what decides its bits
  Cost (*cost)(const KernelSpec&, const Box&) = nullptr;
  conformance::KernelChecks (*oracles)() = nullptr;
  /// The cases of conformance that a kernel's declaration makes; false where it takes more than that tells.
  bool (*declared)(conformance::DeviceUnderTest&, conformance::Cases&, const CatalogueEntry&, Precision) = nullptr;

  /// The entry of that name, or null.
  [[nodiscard]] const CatalogueEntry* find(std::string_view name) const {
    for (const CatalogueEntry& entry : entries) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }
};

}  // namespace quoin
