#include "base/hash_beside.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace quoin {
namespace {

std::span<const std::byte> bytes_of(const std::string& text, std::size_t first, std::size_t count) {
  return std::as_bytes(std::span(text)).subspan(first, count);
}

/// More than three of the blocks that it takes at a time, no two alike.
std::string many_bytes() {
  std::string text;
  for (int k = 0; text.size() < 7'000'001; ++k) text += std::to_string(k);
  return text;
}

TEST(HashBeside, IsThatOfAllBytesInTheirOrder) {
  const std::string text = many_bytes();
  for (const std::size_t piece : {std::size_t{4099}, std::size_t{1} << 21U, text.size()}) {
    Sha256 hash;
    HashBeside beside(hash);
    for (std::size_t first = 0; first < text.size(); first += piece)
      beside.add(bytes_of(text, first, std::min(piece, text.size() - first)));
    beside.finish();
    EXPECT_EQ(hash.hex(), sha256_of(text)) << piece;
  }
}

TEST(HashBeside, GoesOnWhereTheHashIs) {
  const std::string text = many_bytes();
  Sha256 hash;
  hash.add(bytes_of(text, 0, 10));
  HashBeside beside(hash);
  beside.add(bytes_of(text, 10, 5'000'000));
  beside.finish();
  EXPECT_EQ(hash.hex(), sha256_of(text.substr(0, 5'000'010)));
  beside.add(bytes_of(text, 5'000'010, 0));
  beside.add(bytes_of(text, 5'000'010, text.size() - 5'000'010));
  beside.finish();
  EXPECT_EQ(hash.hex(), sha256_of(text));
}

}  // namespace
}  // namespace quoin
