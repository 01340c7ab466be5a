#include "matrix/market_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "quoin/error.hpp"

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
MarketEntry parse_coordinates(MarketText& text, const MarketHeader& header, Value value) {
  const char* const place = text.place();
  const std::int64_t row = text.index("row", header.rows);
  const std::int64_t column = text.index("column", header.columns);
  if (header.symmetry != MarketSymmetry::general) check_triangle(text, header.symmetry, row, column, place);
  const MarketEntry entry{row - 1, column - 1, value(text)};
  text.end_line();
  return entry;
}

template <class Value>
void parse_array(MarketText& text, const MarketHeader& header, std::vector<MarketEntry>& entries, Value value) {
  for (std::int64_t column = 0; column < header.columns; ++column) {
    const std::int64_t first = header.symmetry == MarketSymmetry::general     ? 0
                               : header.symmetry == MarketSymmetry::symmetric ? column
                                                                              : column + 1;
    for (std::int64_t row = first; row < header.rows; ++row) {
      find_entry(text, header, entries.size());
      entries.push_back({row, column, value(text)});
      text.end_line();
    }
  }
}

// What the bytes that are left can hold: "1 1" or, of an array, "1", each with a line end that the last one may lack.
std::size_t most_entries(const MarketText& text, const MarketHeader& header) {
  const std::size_t least = header.format == MarketFormat::coordinate ? 4 : 2;
  return std::min(static_cast<std::size_t>(header.entries), (text.bytes_left() + 1) / least);
}

// From the first line to the last, so that the first mistake is the one that is told.
template <class Value>
std::vector<MarketEntry> parse_in_order(MarketText& text, const MarketHeader& header, Value value) {
  std::vector<MarketEntry> entries;
  reserve_large(entries, most_entries(text, header));
  if (header.format == MarketFormat::array) {
    parse_array(text, header, entries, value);
  } else {
    for (std::int64_t done = 0; done < header.entries; ++done) {
      find_entry(text, header, done);
      entries.push_back(parse_coordinates(text, header, value));
    }
  }
  if (text.find_line())
    text.fail(fmt::format("expected the end of the file, as the line of sizes announces {} and these have been read",
                          header.entries == 1 ? "1 entry" : fmt::format("{} entries", header.entries)));
  return entries;
}

// Stretches of whole lines, one a core. Nothing where there is a mistake in any of them, or another number of entries
// than announced.
template <class Value>
std::optional<MarketEntries> parse_on_all_cores(const MarketText& text, const MarketHeader& header, Value value) {
  constexpr std::int64_t least = 1 << 20;
  const auto bytes = static_cast<std::int64_t>(text.bytes_left());
  if (bytes == 0) return std::nullopt;
  MarketEntries parts(parts_of(bytes, least));
  const auto parse = [&](const Part& part) {
    MarketText lines = text.lines_from(part.first, part.last);
    std::vector<MarketEntry>& entries = parts[part.number];
    // As many as its share would be if lines were equally long, and some more.
    const double share = static_cast<double>(lines.bytes_left()) / static_cast<double>(bytes);
    const auto likely = static_cast<std::size_t>(1.05 * share * static_cast<double>(header.entries));
    reserve_large(entries, std::min(likely, most_entries(lines, header)));
    while (lines.find_line()) entries.push_back(parse_coordinates(lines, header, value));
  };
  try {
    parallel_parts(bytes, parse, least);
  } catch (const Error&) {
    return std::nullopt;
  }
  std::int64_t count = 0;
  for (const auto& part : parts) count += static_cast<std::int64_t>(part.size());
  if (count != header.entries) return std::nullopt;
  return parts;
}

template <class Value>
MarketEntries parse_each(MarketText& text, const MarketHeader& header, Value value) {
  if (header.format == MarketFormat::coordinate) {
    std::optional<MarketEntries> parts = parse_on_all_cores(text, header, value);
    if (parts) return std::move(*parts);
  }
  return {parse_in_order(text, header, value)};
}

}  // namespace

MarketEntries parse_entries(MarketText& text, const MarketHeader& header) {
  switch (header.field) {
    case MarketField::real:
      return parse_each(text, header, [](MarketText& from) { return from.real(); });
    case MarketField::integer:
      return parse_each(text, header, [](MarketText& from) { return from.integer(); });
    case MarketField::pattern:
      break;
  }
  return parse_each(text, header, [](const MarketText&) { return 1.0; });
}

Repeated find_repeated(MarketText text, const char* first, const MarketEntries& entries, std::int64_t row,
                       std::int64_t column) {
  Repeated found{nullptr, nullptr};
  text.go_to(first);
  for (const std::vector<MarketEntry>& part : entries) {
    for (const MarketEntry& entry : part) {
      text.find_line();
      if (entry.row == row && entry.column == column) {
        if (found.earlier != nullptr) {
          found.later = text.place();
          return found;
        }
        found.earlier = text.place();
      }
      text.skip_line();
    }
  }
  return found;
}

}  // namespace quoin
