#pragma once

// The kernels that this process knows: those of Quoin, and of the problems that it has opened.

#include "quoin/backends.hpp"
#include "quoin/kernel_set.hpp"

namespace quoin {

/// A kernel with the set that it is from. Null where none has it.
struct KnownKernel {
  const KernelSet* set = nullptr;
  const CatalogueEntry* entry = nullptr;
};
KnownKernel known_kernel(std::string_view name);

/// Every family with its hash.
const Hashes& known_families();

/// Throws ErrorKind::plugin where a family or kernel of the set that Quoin does not have is known already.
void add_kernels(const KernelSet& set);

}  // namespace quoin
