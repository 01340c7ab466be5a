#pragma once

namespace quoin {

/// Of the messages between ranks: rows next to a cut, rows to or from the first rank, and the row that two pieces of a
/// field share.
enum : int { ghost_tag = 1, stream_tag = 2, shared_tag = 3 };

}  // namespace quoin
