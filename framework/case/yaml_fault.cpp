// Why a text is no YAML. A parser says where it gave up; the mistake often stands before that.

#include "case/yaml_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.hpp"

namespace quoin {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool quote(char c) { return c == '"' || c == '\''; }
char closing(char opening) { return opening == '[' ? ']' : '}'; }

std::size_t start_of_line(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? none : text.rfind('\n', at - 1);
  return before == none ? 0 : before + 1;
}

std::string_view line_at(std::string_view text, std::size_t start) {
  return text.substr(start, std::min(text.find('\n', start), text.size()) - start);
}

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// The word that starts a line, with the colon behind it; empty where there is none.
std::string_view leading_key(std::string_view line) {
  line.remove_prefix(indentation(line));
  const std::size_t end = std::min(line.find_first_of(" :\"'[]{},#"), line.size());
  return end > 0 && end < line.size() && line[end] == ':' ? line.substr(0, end + 1) : std::string_view();
}

std::size_t end_of_quotes(std::string_view text, std::size_t start) {
  for (std::size_t k = start + 1; k < text.size(); ++k) {
    if (text[start] == '"' && text[k] == '\\') {
      ++k;
    } else if (text[k] == text[start]) {
      if (text[start] == '"' || k + 1 == text.size() || text[k + 1] != '\'') return k;
      ++k;
    }
  }
  return none;
}

// Follows quotes and brackets from the start, and stops at the first that cannot be right.
std::optional<YamlFault> unbalanced(std::string_view text) {
  std::vector<std::size_t> open;
  char before = '\n';  // the last character that is no blank; a line's end where nothing stands before on the line
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\n') {
      const std::string_view next = line_at(text, k + 1);
      if (!open.empty() && !leading_key(next).empty() &&
          indentation(next) <= indentation(line_at(text, start_of_line(text, open.front()))))
        break;  // the next key of a section
      before = open.empty() ? c : before;
      continue;
    }
    if (blank(c)) continue;
    const bool starts =
        before == '\n' || before == ':' || before == ',' || before == '[' || before == '{' || before == '-';
    if (c == '#' && (k == 0 || blank(text[k - 1]))) {
      k = std::min(text.find('\n', k), text.size()) - 1;
      continue;
    }
    if (quote(c) && starts) {
      const std::size_t end = end_of_quotes(text, k);
      if (end == none || text.substr(k, end - k).find('\n') != none)
        return YamlFault{k, 1, "this quote is never closed on its line"};
      k = end;
    } else if ((c == '[' || c == '{') && (starts || !open.empty())) {
      open.push_back(k);
    } else if ((c == ']' || c == '}') && !open.empty()) {
      const char wanted = closing(text[open.back()]);
      if (c != wanted) {
        const std::size_t start = start_of_line(text, open.back());
        return YamlFault{k, 1,
                         fmt::format("'{}' cannot close the '{}' of line {}, column {}; is a '{}' missing?", c,
                                     text[open.back()], 1 + std::count(text.begin(), text.begin() + start, '\n'),
                                     characters(text.substr(start, open.back() - start)) + 1, wanted)};
      }
      open.pop_back();
    }
    before = text[k];
  }
  if (open.empty()) return std::nullopt;
  return YamlFault{open.back(), 1,
                   fmt::format("this bracket is not closed; a '{}' is missing", closing(text[open.back()]))};
}

// A formula with `?:` that stands in the line without quotes.
std::optional<YamlFault> conditional(std::string_view text, std::size_t start) {
  const std::string_view line = line_at(text, start);
  std::size_t value = indentation(line);
  int depth = 0;
  for (std::size_t k = value; k < line.size(); ++k) {
    if (quote(line[k]) && k == value) {
      const std::size_t end = end_of_quotes(line, k);
      if (end == none) return std::nullopt;
      k = end;
      continue;
    }
    if (line[k] == '#' && k > 0 && blank(line[k - 1])) return std::nullopt;
    depth += line[k] == '(' ? 1 : line[k] == ')' ? -1 : 0;
    const bool separates = line[k] == '{' || line[k] == '[' || (line[k] == ',' && depth <= 0) ||
                           (line[k] == ':' && (k + 1 == line.size() || blank(line[k + 1])));
    if (separates) value = std::min(line.find_first_not_of(' ', k + 1), line.size());
    if (line[k] != '?' || line.find(':', k) == none) continue;
    std::size_t end = k;
    for (int inside = depth; end < line.size(); ++end) {
      inside += line[end] == '(' ? 1 : line[end] == ')' ? -1 : 0;
      const bool comment = line[end] == '#' && blank(line[end - 1]);
      if (comment || line[end] == '}' || line[end] == ']' || (line[end] == ',' && inside <= 0)) break;
    }
    while (end > k && blank(line[end - 1])) --end;
    const std::string_view formula = line.substr(value, end - value);
    if (!is_conditional(formula)) return std::nullopt;
    return YamlFault{
        start + value, formula.size(),
        fmt::format("put a formula with ?: into quotes, for YAML takes its colon for that of a key: \"{}\"", formula)};
  }
  return std::nullopt;
}

// A key without the space behind its colon, or without its colon.
std::optional<YamlFault> broken_key(std::string_view text, std::size_t start) {
  const std::string_view line = line_at(text, start);
  const std::size_t indent = indentation(line);
  if (indent == line.size() || line[indent] == '#') return std::nullopt;
  const std::string_view key = leading_key(line);
  const std::size_t behind = indent + key.size();
  if (!key.empty() && behind < line.size() && !blank(line[behind]))
    return YamlFault{start + indent, key.size(), fmt::format("a space is missing behind '{}'", key)};
  if (line.find(':') != none || line[indent] == '-') return std::nullopt;
  const std::size_t equals = line.find('=');
  if (equals != none)
    return YamlFault{start + equals, 1, "a key and its value are written with a colon and a space: key: value"};
  return YamlFault{start + indent, line.size() - indent,
                   "a colon is missing behind this key, or it is no key: key: value"};
}

// What stands at the place itself.
std::string at_place(std::string_view text, std::size_t at, const std::string& reason) {
  const std::size_t start = start_of_line(text, at);
  const std::string_view before = text.substr(start, at - start);
  const std::size_t last = before.find_last_not_of(' ');
  const char c = at < text.size() ? text[at] : '\n';
  if (reason.starts_with("unknown escape"))
    return "this means nothing after a backslash in double quotes; use single quotes, where a backslash is one";
  if (reason.find("flow end") != none) return "this bracket closes nothing; remove it";
  if (c == '*' || c == '&' || reason.find("anchor") != none)
    return "case files do not use anchors and aliases; write the value out, or put it into quotes";
  if (reason == "unknown token" || c == ',')
    return fmt::format("a value cannot start with {}; put it into quotes", shown(std::string_view(&c, 1)));
  if (last != none && quote(before[last])) return "nothing may follow the value in quotes; put all of it into them";
  if (last != none && c == ':' && before.find(": ") != none)
    return "a second value in one line; put the whole value into quotes, or start a new line";
  if (reason.starts_with("end of map") || reason.starts_with("end of sequence") || last == none || c == ':')
    return "the indentation does not fit: keys of one section start below one another";
  return "this is not YAML: " + reason;
}

}  // namespace

bool is_conditional(std::string_view plain) {
  const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (plain.empty() || std::string_view("\"'{[|>").find(plain[0]) != none ||
      !std::all_of(plain.begin(), plain.end(), printable))
    return false;
  const std::size_t mark = plain.find('?');
  return mark != none && mark > 0 && plain.find(':', mark) != none;
}

YamlFault explain_yaml(std::string_view text, std::size_t stumbled, const std::string& reason) {
  stumbled = std::min(stumbled, text.size());
  const std::size_t here = start_of_line(text, stumbled);
  std::size_t above = here;  // the line above that holds something
  do above = above == 0 ? 0 : start_of_line(text, above - 1);
  while (above > 0 && indentation(line_at(text, above)) == line_at(text, above).size());
  for (const std::size_t line : {here, above})
    if (auto fault = conditional(text, line)) return *fault;
  if (auto fault = unbalanced(text)) return *fault;
  for (const std::size_t line : {above, here})
    if (auto fault = reason == "illegal map value" ? broken_key(text, line) : std::nullopt) return *fault;
  return {stumbled, 1, at_place(text, stumbled, reason)};
}

}  // namespace quoin
