#include "matrix/market_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

// As std::from_chars, which knows no plus sign.
template <class T>
std::from_chars_result from_word(std::string_view text, T& value) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return std::from_chars(text.data() + (plus ? 1 : 0), text.data() + text.size(), value);
}

// What stands for a number beyond all counting, unless it would fill the screen.
std::string cut(std::string_view number) {
  constexpr std::size_t most = 40;
  return std::string(number.substr(0, most)) + (number.size() > most ? "..." : "");
}

}  // namespace

void MarketText::fail(const std::string& what, const char* place) const {
  const std::size_t line = std::string_view(begin_, place - begin_).rfind('\n') + 1;  // 0 in the first one
  throw Error(ErrorKind::case_file, what, fmt::format("{}:{}:{}", name_, line_of(place), place - begin_ - line + 1));
}

std::int64_t MarketText::line_of(const char* place) const { return 1 + std::count(begin_, place, '\n'); }

MarketText MarketText::lines_from(std::size_t first, std::size_t last) const {
  const auto line_from = [&](std::size_t byte) {
    const char* const place = next_ + byte;
    return byte == 0 || place == end_ ? place : std::min(std::find(place - 1, end_, '\n') + 1, end_);
  };
  MarketText lines(*this);
  lines.next_ = line_from(first);
  lines.end_ = line_from(last);
  return lines;
}

void MarketText::skip_line() { next_ = std::find(next_, end_, '\n'); }

std::string_view MarketText::word() {
  skip_blanks();
  const char* stop = next_;
  while (!ends_word(stop)) ++stop;
  return {next_, static_cast<std::size_t>(stop - next_)};
}

std::string_view MarketText::present_word(std::string_view what) {
  const std::string_view text = word();
  if (text.empty()) fail(fmt::format("the {} ends here; expected {}", at_end() ? "file" : "line", what));
  return text;
}

std::int64_t MarketText::whole(std::string_view what) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::string_view text = present_word(what);
  std::int64_t value = 0;
  const auto [stop, error] = from_word(text, value);
  if (error == std::errc::invalid_argument || stop != text.data() + text.size())
    fail(fmt::format("expected {}, not {}", what, shown(text)));
  if (error != std::errc{}) return text[0] == '-' ? Limits::min() : Limits::max();
  return value;
}

std::int64_t MarketText::careful_index(const char* axis, std::int64_t most) {
  const std::int64_t value = whole(fmt::format("a {} number", axis));
  const std::string_view text = word();
  if (value < 1) fail(fmt::format("{} {}: {}s are numbered from 1", axis, cut(text), axis));
  if (value > most)
    fail(fmt::format("{} {} is beyond the {}", axis, cut(text),
                     most == 1 ? fmt::format("only {}", axis) : fmt::format("{} {}s", most, axis)));
  skip(text);
  return value;
}

double MarketText::integer() {
  constexpr std::int64_t exact = std::int64_t{1} << 53U;
  const std::int64_t value = whole("an integer");
  const std::string_view text = word();
  if (value > exact || value < -exact)
    fail(fmt::format("{} is beyond {}, up to which double precision holds every integer", cut(text), exact));
  skip(text);
  return static_cast<double>(value);
}

// Fortran writes 1.5D+03 for the double precision that all numbers here have: the D is taken for an E.
double MarketText::careful_real() {
  const std::string_view text = present_word("a number");
  std::string plain(text);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
  double value = 0;
  const auto [stop, error] = from_word(plain, value);
  if (error == std::errc::invalid_argument || stop != plain.data() + plain.size())
    fail(fmt::format("expected a number, not {}", shown(text)));
  if (error != std::errc{}) fail(fmt::format("{} is beyond the range of double precision", cut(text)));
  if (!std::isfinite(value)) fail(fmt::format("expected a finite number, not {}", shown(text)));
  skip(text);
  return value;
}

void MarketText::fail_at_more() { fail(fmt::format("expected the end of the line, not {}", shown(word()))); }

}  // namespace quoin
