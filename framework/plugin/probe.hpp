#pragma once

#include <sys/types.h>

namespace quoin {

/// The file to which quoin-probe writes its answer.
inline constexpr int probe_answer = 3;

/// What the program quoin-probe does for the process `parent`: opens the plugin, answers with its devices or the
/// reason that there are none, and ends. `choice`, a JSON object, has the `device` that is wanted, if any,
/// and `options` where an executor is made with them.
[[noreturn]] void answer_probe(const char* plugin, pid_t parent, const char* choice);

}  // namespace quoin
