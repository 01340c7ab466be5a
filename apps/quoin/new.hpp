#pragma once

// What `quoin new` writes.

#include <filesystem>
#include <string>

#include "quoin/problem.hpp"

namespace quoin {

/// A case of the problem, with what is said of each of its keys as comments; `file` is what it will be called.
std::string starter_case(const ProblemType& problem, const std::filesystem::path& file);

/// An example that is installed in the folder of that name: a backend or a problem.
struct Example {
  std::filesystem::path folder;
  std::string name;
};

/// Throws ErrorKind::usage where the sources of the example cannot go by that name.
void require_name(const Example& example, const std::string& name);
/// Copies the example into the new folder `copy` under another name, without its guide.
void copy_renamed(const Example& example, const std::string& name, const std::filesystem::path& copy);

}  // namespace quoin
