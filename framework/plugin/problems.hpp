#pragma once

#include <filesystem>
#include <vector>

#include "quoin/backends.hpp"
#include "quoin/problems.hpp"

namespace quoin {

/// The problems among the plugins of the folders, judged like find_plugins() judges backends.
std::vector<Candidate> find_problems(const std::vector<std::filesystem::path>& folders);

/// Opens a problem's object and asks it what it has. Nothing is registered. Throws ErrorKind::plugin naming the file.
ProblemPlugin load_problem(const Candidate& candidate, LibraryOpener& opener);

}  // namespace quoin
