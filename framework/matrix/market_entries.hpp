#pragma once

#include <vector>

#include "matrix/market_text.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin {

/// Numbered from 0.
struct MarketEntry {
  std::int64_t row, column;
  double value;
};

/// In the order of the file, cut into parts where cores have shared in reading them.
using MarketEntries = std::vector<std::vector<MarketEntry>>;

/// The entries up to the end of the file, from behind the line of sizes.
MarketEntries parse_entries(MarketText& text, const MarketHeader& header);

/// The places in the file of two entries in the same place of the matrix. `first` is where the first one can be.
struct Repeated {
  const char* earlier;
  const char* later;
};
Repeated find_repeated(MarketText text, const char* first, const MarketEntries& entries, std::int64_t row,
                       std::int64_t column);

}  // namespace quoin
