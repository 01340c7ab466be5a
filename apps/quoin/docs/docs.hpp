#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quoin {

/// The manual page in section 1, as roff.
std::string man_page(const CLI::App& program);

/// The completion for bash; offers the keys of `table` for --set.
std::string bash_completion(const CLI::App& program, const class KeyTable& table);

}  // namespace quoin
