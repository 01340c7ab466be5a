#include "matrix/market_entries.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/large_pages.hpp"

namespace quoin {
namespace {

void find_entry(MarketText& text, const MarketHeader& header, std::size_t done) {
  if (!text.find_line()) text.fail(fmt::format("the file ends after {} of {} entries", done, header.entries));
}

// Of what symmetry mirrors, one half is stored.
void check_triangle(const MarketText& text, MarketSymmetry symmetry, std::int64_t row, std::int64_t column,
                    const char* place) {
  if (column > row)
    text.fail(fmt::format("row {}, column {} is above the diagonal; a file of a symmetric matrix holds what is below, "
                          "from which the rest follows",
                          row, column),
              place);
  if (column == row && symmetry == MarketSymmetry::skew_symmetric)
    text.fail(fmt::format("row {}, column {} is on the diagonal, where a skew-symmetric matrix has zeros that its file "
                          "leaves out",
                          row, column),
              place);
}

template <class Value>
void parse_coordinates(MarketText& text, const MarketHeader& header, std::vector<MarketEntry>& entries, Value value) {
  for (std::int64_t done = 0; done < header.entries; ++done) {
    find_entry(text, header, done);
    const char* const place = text.place();
    const std::int64_t row = text.index("row", header.rows);
    const std::int64_t column = text.index("column", header.columns);
    if (header.symmetry != MarketSymmetry::general) check_triangle(text, header.symmetry, row, column, place);
    entries.push_back({row - 1, column - 1, value()});
    text.end_line();
  }
}

template <class Value>
void parse_array(MarketText& text, const MarketHeader& header, std::vector<MarketEntry>& entries, Value value) {
  for (std::int64_t column = 0; column < header.columns; ++column) {
    const std::int64_t first = header.symmetry == MarketSymmetry::general     ? 0
                               : header.symmetry == MarketSymmetry::symmetric ? column
                                                                              : column + 1;
    for (std::int64_t row = first; row < header.rows; ++row) {
      find_entry(text, header, entries.size());
      entries.push_back({row, column, value()});
      text.end_line();
    }
  }
}

template <class Value>
void parse_each(MarketText& text, const MarketHeader& header, std::vector<MarketEntry>& entries, Value value) {
  if (header.format == MarketFormat::coordinate) return parse_coordinates(text, header, entries, value);
  parse_array(text, header, entries, value);
}

// What the bytes that are left can hold: "1 1" or, of an array, "1", each with a line end that the last one may lack.
std::size_t most_entries(const MarketText& text, const MarketHeader& header) {
  const std::size_t least = header.format == MarketFormat::coordinate ? 4 : 2;
  return std::min(static_cast<std::size_t>(header.entries), (text.bytes_left() + 1) / least);
}

}  // namespace

std::vector<MarketEntry> parse_entries(MarketText& text, const MarketHeader& header) {
  std::vector<MarketEntry> entries;
  reserve_large(entries, most_entries(text, header));
  switch (header.field) {
    case MarketField::real:
      parse_each(text, header, entries, [&] { return text.real(); });
      break;
    case MarketField::integer:
      parse_each(text, header, entries, [&] { return text.integer(); });
      break;
    case MarketField::pattern:
      parse_each(text, header, entries, [] { return 1.0; });
      break;
  }
  if (text.find_line())
    text.fail(fmt::format("expected the end of the file, as the line of sizes announces {} and these have been read",
                          header.entries == 1 ? "1 entry" : fmt::format("{} entries", header.entries)));
  return entries;
}

Repeated find_repeated(MarketText text, const char* first, const std::vector<MarketEntry>& entries, std::int64_t row,
                       std::int64_t column) {
  Repeated found{nullptr, nullptr};
  text.go_to(first);
  for (const MarketEntry& entry : entries) {
    text.find_line();
    if (entry.row == row && entry.column == column) {
      if (found.earlier != nullptr) {
        found.later = text.place();
        break;
      }
      found.earlier = text.place();
    }
    text.skip_line();
  }
  return found;
}

}  // namespace quoin
