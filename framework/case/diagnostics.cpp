#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "quoin/case.hpp"
#include "quoin/error.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

std::string_view line_of(std::string_view text, int line) {
  for (int k = 1; k < line; ++k) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view bold_red = "\x1b[1;31m";
constexpr std::string_view ends_colour = "\x1b[0m";

std::string in_colour(std::string_view colour, std::string_view text, bool coloured) {
  return coloured ? fmt::format("{}{}{}", colour, text, ends_colour) : std::string(text);
}

// What a terminal may be given, each character still where it was.
std::string as_wide(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, std::max<std::size_t>(utf8_length(text), 1));
    result += printable(character) == character ? character : "?";
    text.remove_prefix(character.size());
  }
  return result;
}

// The source line and, below it, a caret; of a long line only the part around the place.
std::string excerpt(std::string_view line, const Place& place, bool coloured) {
  constexpr int window = 100;
  int column = std::max(place.column, 1);
  std::string_view part = line;
  std::string before;
  std::string after;
  if (characters(line) > window) {
    const int from = std::max(1, std::min(column - window / 2, characters(line) - window + 1));
    const std::size_t start = byte_of_column(line, from);
    const std::size_t end = byte_of_column(line, from + window);
    part = line.substr(start, end - start);
    if (from > 1) before = "...";
    if (end < line.size()) after = "...";
    column += static_cast<int>(before.size()) - from + 1;
  }
  const std::string number = fmt::format("{} | ", place.line);
  const std::string text = before + std::string(part) + after;
  std::string indent(number.size(), ' ');
  // A tab stays a tab, so that the caret stands below its character whatever a tab is worth.
  const std::size_t caret = byte_of_column(text, column);
  for (std::size_t k = 0; k < caret; ++k)
    if (text[k] == '\t')
      indent += '\t';
    else if ((static_cast<unsigned char>(text[k]) & 0xC0U) != 0x80U)
      indent += ' ';
  const int room = characters(text) - column;
  const int tail = std::max(0, std::min(place.length - 1, room));
  const std::string caret_and_tail = "^" + std::string(static_cast<std::size_t>(tail), '~');
  return fmt::format("\n{}{}\n{}{}", number, as_wide(text), indent, in_colour(bold_red, caret_and_tail, coloured));
}

}  // namespace

void Diagnostics::add_source(const std::string& name, std::string text) { sources_[name] = std::move(text); }

void Diagnostics::error(const Place& place, const std::string& message) { mistakes_.push_back({place, message}); }

std::string Diagnostics::show(const Mistake& mistake, std::string_view severity, bool coloured) const {
  const Place& place = mistake.place;
  std::string where = printable(place.source, /*one_line=*/true);
  if (place.line != 0) where += fmt::format(":{}:{}", place.line, std::max(place.column, 1));
  std::string result = in_colour(bold, where + ":", coloured) + " ";
  if (!severity.empty()) result += in_colour(bold_red, severity, coloured) + " ";
  result += printable(mistake.message);
  if (const auto source = sources_.find(place.source); place.line != 0 && source != sources_.end())
    result += excerpt(line_of(source->second, place.line), place, coloured);
  return result;
}

std::vector<std::string> Diagnostics::warnings() const {
  std::vector<std::string> texts;
  for (const Mistake& warning : warnings_) texts.push_back(show(warning, "", false));
  return texts;
}

std::vector<Diagnostics::Mistake> Diagnostics::mistakes() const {
  std::vector<Mistake> sorted = mistakes_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.place.source, a.place.line, a.place.column) <
           std::tie(b.place.source, b.place.line, b.place.column);
  });
  return sorted;
}

std::string Diagnostics::text(bool coloured) const {
  constexpr std::size_t most = 100;
  const std::vector<Mistake> sorted = mistakes();
  std::string result;
  for (const Mistake& mistake : std::span(sorted).first(std::min(sorted.size(), most))) {
    if (!result.empty()) result += '\n';
    result += show(mistake, "error:", coloured);
  }
  if (sorted.size() > most) result += fmt::format("\nand {} mistakes more", sorted.size() - most);
  return result;
}

void Diagnostics::raise_if_any() const {
  if (!mistakes_.empty()) throw CaseError(*this);
}

CaseError::CaseError(Diagnostics mistakes)
    : Error(ErrorKind::case_file, mistakes.text()),
      diagnostics_(std::make_shared<const Diagnostics>(std::move(mistakes))) {}

}  // namespace quoin
