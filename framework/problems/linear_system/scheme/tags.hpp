#pragma once

namespace quoin {

/// Of the messages between ranks: elements for a product, and whole vectors to the first rank.
enum : int { element_tag = 1, vector_tag = 2 };

}  // namespace quoin
