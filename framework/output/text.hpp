#pragma once

#include <array>
#include <charconv>
#include <string>

namespace quoin {

/// The shortest text that reads back to the same number, whatever the locale.
template <class Number>
std::string shortest(Number value) {
  std::array<char, 64> text;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

}  // namespace quoin
