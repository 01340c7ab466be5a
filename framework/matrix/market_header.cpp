#include "matrix/market_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.hpp"

namespace quoin {
namespace {

constexpr std::int64_t uncountable = std::numeric_limits<std::int64_t>::max();

// Which of the words comes next, from 0.
std::size_t choose(MarketText& text, const std::vector<std::string>& words) {
  const std::string_view given = text.word();
  const std::string word = lower_case(given);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) {
    text.skip(given);
    return found - words.begin();
  }
  if (word == "complex" || word == "hermitian") text.fail(word + " matrices are not supported");
  const std::string expected = "expected " + listed(words, "or");
  if (word.empty()) text.fail("the line ends here; " + expected);
  text.fail(fmt::format("{}, not {}{}", expected, shown(given), did_you_mean(word, words)));
}

void parse_words(MarketText& text, MarketHeader& header) {
  const std::string_view banner = text.word();
  if (lower_case(banner) != "%%matrixmarket") text.fail("expected %%MatrixMarket: this is not a Matrix Market file");
  text.skip(banner);
  choose(text, {"matrix"});
  header.format = choose(text, {"coordinate", "array"}) == 0 ? MarketFormat::coordinate : MarketFormat::array;
  text.skip_blanks();
  const char* const field = text.place();
  constexpr std::array fields{MarketField::real, MarketField::real, MarketField::integer, MarketField::pattern};
  header.field = fields[choose(text, {"real", "double", "integer", "pattern"})];
  if (header.format == MarketFormat::array && header.field == MarketField::pattern)
    text.fail("an array has values, a pattern has none; expected real, double or integer", field);
  text.skip_blanks();
  const char* const symmetry = text.place();
  constexpr std::array symmetries{MarketSymmetry::general, MarketSymmetry::symmetric, MarketSymmetry::skew_symmetric};
  header.symmetry = symmetries[choose(text, {"general", "symmetric", "skew-symmetric"})];
  if (header.field == MarketField::pattern && header.symmetry == MarketSymmetry::skew_symmetric)
    text.fail("a pattern has no signs; expected general or symmetric", symmetry);
  text.end_line();
}

std::int64_t parse_size(MarketText& text, const char* of_what, std::int64_t least) {
  const std::int64_t value = text.whole(fmt::format("the number of {}", of_what));
  const std::string_view word = text.word();
  if (value < least) text.fail(fmt::format("the number of {} is {}; it must be at least {}", of_what, value, least));
  if (value == uncountable) text.fail(fmt::format("the number of {} is too large", of_what));
  text.skip(word);
  return value;
}

// How many places of the matrix a file of its symmetry holds.
std::int64_t places(const MarketHeader& header) {
  std::int64_t result = 0;
  if (header.symmetry == MarketSymmetry::general)
    return __builtin_mul_overflow(header.rows, header.columns, &result) ? uncountable : result;
  // One of two neighbours is even.
  const std::int64_t low = header.symmetry == MarketSymmetry::symmetric ? header.rows : header.rows - 1;
  const bool even = low % 2 == 0;
  return __builtin_mul_overflow(even ? low / 2 : low, even ? low + 1 : low / 2 + 1, &result) ? uncountable : result;
}

}  // namespace

MarketHeader parse_header(MarketText& text, Duplicates duplicates) {
  MarketHeader header;
  parse_words(text, header);
  if (!text.find_line()) text.fail("the file ends before the line of sizes");
  const char* const sizes = text.place();
  header.rows = parse_size(text, "rows", 1);
  header.columns = parse_size(text, "columns", 1);
  if (header.symmetry != MarketSymmetry::general && header.rows != header.columns)
    text.fail(fmt::format("a symmetric matrix has as many rows as columns, not {} and {}", header.rows, header.columns),
              sizes);
  header.entries = places(header);
  if (header.format == MarketFormat::array) {
    if (header.entries == uncountable) text.fail("an array of this size has too many values", sizes);
  } else {
    text.skip_blanks();
    const char* const place = text.place();
    const std::int64_t entries = parse_size(text, "entries", 0);
    if (duplicates == Duplicates::refuse && entries > header.entries)
      text.fail(fmt::format("the file cannot hold {} entries: there are places for {}", entries, header.entries),
                place);
    header.entries = entries;
  }
  text.end_line();
  return header;
}

}  // namespace quoin
