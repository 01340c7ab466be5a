#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "case/text.hpp"
#include "quoin/case.hpp"
#include "quoin/error.hpp"

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

// The source line and, below it, a caret; of a long line only the part around the place.
std::string excerpt(std::string_view line, const Place& place) {
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
  std::string safe = text;
  for (char& c : safe)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F) c = '?';
  return fmt::format("\n{}{}\n{}^{}", number, safe, indent, std::string(static_cast<std::size_t>(tail), '~'));
}

}  // namespace

void Diagnostics::add_source(const std::string& name, std::string text) { sources_[name] = std::move(text); }

void Diagnostics::error(const Place& place, const std::string& message) { entries_.push_back({place, message}); }

std::string Diagnostics::show(const Entry& entry, const char* severity) const {
  const Place& place = entry.place;
  if (place.line == 0) return fmt::format("{}: {}{}", place.source, severity, entry.message);
  std::string result =
      fmt::format("{}:{}:{}: {}{}", place.source, place.line, std::max(place.column, 1), severity, entry.message);
  if (const auto source = sources_.find(place.source); source != sources_.end())
    result += excerpt(line_of(source->second, place.line), place);
  return result;
}

std::vector<std::string> Diagnostics::warnings() const {
  std::vector<std::string> texts;
  for (const Entry& entry : warnings_) texts.push_back(show(entry, ""));
  return texts;
}

std::string Diagnostics::text() const {
  constexpr std::size_t most = 100;
  std::vector<Entry> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.place.source, a.place.line, a.place.column) <
           std::tie(b.place.source, b.place.line, b.place.column);
  });
  std::string result;
  for (const Entry& entry : std::span(sorted).first(std::min(sorted.size(), most))) {
    if (!result.empty()) result += '\n';
    result += show(entry, "error: ");
  }
  if (sorted.size() > most) result += fmt::format("\nand {} mistakes more", sorted.size() - most);
  return result;
}

void Diagnostics::raise_if_any() const {
  if (!entries_.empty()) throw Error(ErrorKind::case_file, text());
}

}  // namespace quoin
