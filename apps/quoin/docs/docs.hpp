#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quoin {

/// The manual page in section 1, as roff.
std::string man_page(const CLI::App& program);

/// The kernels of all families with their arguments, as Markdown.
std::string kernels_page();

}  // namespace quoin
