#include "report/theme.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <vector>

namespace quoin {
namespace {

const std::vector<Colour>& colours() {
  static const std::vector<Colour> all = [] {
    std::vector<Colour> list{theme::ink, theme::frame, theme::grid};
    list.insert(list.end(), theme::series.begin(), theme::series.end());
    return list;
  }();
  return all;
}

/// `--c0:#374151;--c1:...` for one of the two.
std::string variables(const char* Colour::*shade) {
  std::string text;
  for (std::size_t k = 0; k < colours().size(); ++k) text += fmt::format("--c{}:{};", k, colours()[k].*shade);
  return text;
}

/// The variable of a colour that is written as `rgb( r, g, b)` at the start of the text, and how long that is.
struct Found {
  std::size_t variable;
  std::size_t length;
};
std::optional<Found> colour_at(const char* text) {
  unsigned red = 0;
  unsigned green = 0;
  unsigned blue = 0;
  int length = 0;
  if (std::sscanf(text, "rgb(%3u ,%3u ,%3u )%n", &red, &green, &blue, &length) != 3 || length == 0) return std::nullopt;
  const std::string wanted = fmt::format("#{:02x}{:02x}{:02x}", red, green, blue);
  for (std::size_t k = 0; k < colours().size(); ++k)
    if (wanted == colours()[k].light) return Found{k, static_cast<std::size_t>(length)};
  return std::nullopt;
}

}  // namespace

std::string themed(const std::string& svg) {
  std::string result;
  bool in_tag = false;  // names are text, which may look like a colour
  std::size_t tag = 0;
  for (std::size_t at = 0; at < svg.size();) {
    if (in_tag && svg.compare(at, 4, "rgb(") == 0) {
      if (const std::optional<Found> found = colour_at(svg.c_str() + at)) {
        result += fmt::format("var(--c{})", found->variable);
        at += found->length;
        continue;
      }
    } else if (in_tag && svg.compare(at, 7, "\"black\"") == 0) {
      result += "\"var(--c0)\"";
      at += 7;
      continue;
    }
    const char c = svg[at];
    if (c == '<') tag = at;
    in_tag = c == '<' || (in_tag && c != '>');
    result += c;
    ++at;
    if (c != '>' || svg.compare(tag, 4, "<svg") != 0) continue;
    result += "<style>:root{" + variables(&Colour::light) + "}@media(prefers-color-scheme:dark){:root{" +
              variables(&Colour::dark) + "}}</style>";
  }
  return result;
}

}  // namespace quoin
