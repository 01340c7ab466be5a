#pragma once

// Kernels by their names, for those who look at them as data: `quoin list`, conformance, the loader. Quoin has one set;
// a problem from outside brings another, with the families of its own in it.

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "quoin/extents.hpp"
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

/// The kernels that one program or plugin was compiled with. A specification is one that in_catalogue() would take
/// there.
struct KernelSet {
  std::span<const CatalogueEntry> entries;
  const char* hashes = "{}";  ///< JSON: each family with the hash of what decides its bits
  Cost (*cost)(const KernelSpec&, const Box&) = nullptr;
  /// The elements of an argument that a launch may touch: kernels::footprint.
  kernels::Extents::Parts (*footprint)(const KernelSpec&, std::size_t argument, const Box&,
                                       std::span<const Argument>) = nullptr;
  /// Runs the kernel at once on host memory, point by point: the bits that every backend must reproduce.
  void (*reference)(const KernelSpec&, const kernels::Range&, const kernels::Resolved*) = nullptr;
  conformance::KernelChecks (*oracles)() = nullptr;

  /// The entry of that name, or null.
  [[nodiscard]] const CatalogueEntry* find(std::string_view name) const {
    for (const CatalogueEntry& entry : entries) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }
};

}  // namespace quoin
