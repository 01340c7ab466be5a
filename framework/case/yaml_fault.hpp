#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quoin {

/// What is wrong with a text that is no YAML, in a user's words, at which of its bytes.
struct YamlFault {
  std::size_t at = 0;
  std::size_t length = 1;
  std::string message;
};

/// Looks for what a parser stumbled over at the byte `stumbled` for the given reason of its own.
YamlFault explain_yaml(std::string_view text, std::size_t stumbled, const std::string& reason);

/// Whether a value without quotes is a formula with `?:`, which YAML takes for a key and its value.
bool is_conditional(std::string_view plain);

}  // namespace quoin
