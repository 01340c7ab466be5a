#pragma once

// What programs are told of a run: --json and --json-lines.

#include <functional>

#include "quoin/run.hpp"

namespace quoin {

/// Performs a run and prints its summary, or why there is none, as JSON. With `lines` that is a line, and lines before
/// it tell where the results go and how far the run is, which ends as by SIGINT where their reader has gone. Returns
/// the exit code.
int tell_programs(bool lines, const std::function<Outcome(RunWatcher* watcher)>& perform);

}  // namespace quoin
