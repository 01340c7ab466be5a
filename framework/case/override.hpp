#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "case/node.hpp"

namespace quoin {

/// Puts the value of a `--set`, `--vary` or another option into the tree. Mistakes are noted in the diagnostics, with
/// `--set PATH`, `--vary PATH` or the option as source.
void apply_override(CaseNode& root, const Override& change, Diagnostics& diagnostics);

/// `name` or `name:device`; the device is empty where it is not given.
std::pair<std::string, std::string> split_backend(std::string_view text);

}  // namespace quoin
