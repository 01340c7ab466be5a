#pragma once

#include "runs.hpp"

namespace quoin::bench {

/// What a run comes to in processes of its own, as a user starts it: its summary.json, with `process_seconds`, from the
/// start of the first process to its end. `ranks`: 0 is a process without a launcher.
Json run_as_started(const Context& context, const Case& the_case, int ranks);

}  // namespace quoin::bench
