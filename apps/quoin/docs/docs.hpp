#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace quoin {

/// The commands of the program, or those that a command is made of.
inline std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The manual page in section 1, as roff.
std::string man_page(const CLI::App& program);

/// The completion for bash; offers the keys of `table` for --set.
std::string bash_completion(const CLI::App& program, const class KeyTable& table);

}  // namespace quoin
