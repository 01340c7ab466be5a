#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "commands.hpp"

namespace quoin {

/// Where a launcher has started this process as one of several: joins them. Returns the communicator, or null.
Communicator* join_ranks(Context& context);

/// Starts `command`, words of this program's command line, on so many ranks by mpirun; passes signals on to the first
/// of them. Returns its exit code. ErrorKind::plugin where there is no mpirun.
int launch_ranks(int count, const std::vector<std::string>& command);

/// A rank ends with an error: the first one by `report`, which prints it and gives the exit code, and takes the others
/// with it; another one tells the first, which then ends all.
[[noreturn]] void end_with_others(Communicator& ranks, const std::exception& error, const std::function<int()>& report);

}  // namespace quoin
