#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "commands.hpp"

namespace quoin {

/// The option `--ranks N`.
void add_ranks(CLI::App& command, int& ranks);

/// Starts a command line of this program, without its `--ranks N`, on so many ranks by mpirun, each with its share of
/// the host's processors; 0: without mpirun. Passes signals on to the first of them. What they say goes where that of
/// this process goes, or into the file `said`. Returns its exit code. ErrorKind::plugin where there is no mpirun.
int launch_ranks(int count, const std::vector<std::string>& line, const std::string& said = {});

/// Where a launcher has started this process as one of several: joins them, as context.ranks. True, once the run has
/// ended, on all but the first of them.
bool follows(Context& context);

/// The first rank tells its launcher, if it has one, the exit code that it is going to end with.
void tell_launcher(const Communicator& ranks, int code);

/// A rank ends with an error: the first one by `report`, which prints it and gives the exit code, and takes the others
/// with it; another one tells the first, which then ends all.
[[noreturn]] void end_with_others(Communicator& ranks, const std::exception& error, const std::function<int()>& report);

}  // namespace quoin
