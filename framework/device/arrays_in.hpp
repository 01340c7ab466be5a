#pragma once

#include <memory>

#include "quoin/executor.hpp"

namespace quoin {

/// The executor with its arrays, those that it is asked for in the device's own memory, in memory of that kind. The
/// name of its device says so: what is measured there holds for that kind alone. Throws ErrorKind::device, with the
/// kinds that there are, where the device has none.
std::shared_ptr<Executor> with_arrays_in(MemoryKind kind, std::shared_ptr<Executor> executor);

}  // namespace quoin
