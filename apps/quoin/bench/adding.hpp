#pragma once

// Whether host and kernel can add to one number at the same time.

#include <cstdint>
#include <memory>

#include "quoin/executor.hpp"

namespace quoin::bench {

/// What both have added to one number in memory that they share.
struct AddedTogether {
  std::int64_t by_kernel;
  std::int64_t by_host;
  std::int64_t between;  ///< of the host's, those that came after one of the kernel's and before another
  double seconds;        ///< from the launch to the end of the kernel, by the host's clock
};

/// Adds with memory_shared_add and by the host's atomics at the same time, for longer and longer until that is proven.
/// Throws ErrorKind::device where an add was lost, or where the kernel's adds never came between the host's.
AddedTogether add_together(Executor& executor, Queue& queue, Kernel& kernel);

}  // namespace quoin::bench
