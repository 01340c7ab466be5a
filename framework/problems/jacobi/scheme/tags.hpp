#pragma once

namespace quoin {

/// Of the messages between ranks: rows next to a cut, and rows to or from the first rank.
enum : int { ghost_tag = 1, stream_tag = 2 };

}  // namespace quoin
