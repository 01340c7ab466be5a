#include <fmt/format.h>

#include "base/text.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

/// The character of a UTF-8 sequence that is whole.
char32_t character(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence.front());
  if (sequence.size() == 1) return lead;
  char32_t value = lead & (0x7FU >> sequence.size());
  for (const char c : sequence.substr(1)) value = (value << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  return value;
}

/// Control characters, line and paragraph separators, and those that change the direction of what follows.
bool is_harmful(char32_t c, bool one_line) {
  if (c == U'\n' || c == U'\t') return one_line;
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || (c >= 0x200E && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text, bool one_line) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (const char32_t c = character(text.substr(0, length)); is_harmful(c, one_line)) {
      result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace quoin
