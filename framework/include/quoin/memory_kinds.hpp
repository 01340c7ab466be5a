#pragma once

#include <algorithm>
#include <string>

#include "quoin/error.hpp"
#include "quoin/executor.hpp"

namespace quoin {

inline bool has_memory_kind(const DeviceInfo& device, MemoryKind kind) {
  return std::find(device.memories.begin(), device.memories.end(), kind) != device.memories.end();
}

/// Throws ErrorKind::device, with the kinds of memory that the device has, where it lacks this one.
inline void require_memory_kind(const DeviceInfo& device, MemoryKind kind) {
  if (has_memory_kind(device, kind)) return;
  std::string known;
  for (const MemoryKind has : device.memories) known += (known.empty() ? "" : ", ") + std::string(name_of(has));
  throw Error(ErrorKind::device,
              "the device has no memory of the kind " + std::string(name_of(kind)) + "; it has: " + known, device.name);
}

}  // namespace quoin
