#pragma once

// Problems from outside: what one hands over, finding and opening them.

#include <filesystem>
#include <string_view>
#include <vector>

#include "quoin/backends.hpp"
#include "quoin/kernel_set.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// What a problem's object hands over when it is opened.
struct ProblemPlugin {
  ProblemType type;
  KernelSet kernels;
};

/// Opens every problem of the folders that may be opened, each once a process: from then on it is one of
/// problem_types(), its kernels are known, and backends that offer them can be told from others. Each is opened in a
/// child process first (see probe_plugin). Call it before find_plugins() and before a case is read.
void open_problems(const std::vector<std::filesystem::path>& folders, LibraryOpener& opener = system_opener());

/// What open_problems has found so far, in its order; one that was not opened has the reason as its refusal.
const std::vector<Candidate>& problem_plugins();

/// The one that was opened and has brought the problem of that name; null for a problem of Quoin's own.
const Candidate* plugin_of(std::string_view problem);

/// The kernels of those that were opened, a set each. Families that Quoin has are in these sets as well.
std::vector<KernelSet> problem_kernels();

/// The candidates among which a run of that problem chooses: of a name, those that offer every family of kernels that
/// came with the problem. Where some of that name are left out and none remains, one is refused with what to do.
std::vector<Candidate> candidates_for(const std::string& problem, std::vector<Candidate> candidates);

}  // namespace quoin
