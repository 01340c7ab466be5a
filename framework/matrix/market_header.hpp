#pragma once

#include "matrix/market_text.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin {

/// Leaves `text` behind the line of sizes. With `duplicates` refused, no more entries may be announced than the matrix
/// has places for.
MarketHeader parse_header(MarketText& text, Duplicates duplicates);

}  // namespace quoin
