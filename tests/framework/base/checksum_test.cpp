#include "base/checksum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace quoin {
namespace {

std::string in_pieces(const std::string& text, std::size_t piece) {
  Checksum sum;
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t first = 0; first < text.size(); first += piece)
    sum.add(bytes.subspan(first, std::min(piece, text.size() - first)));
  return sum.hex();
}

/// What `xxhsum -H2` prints.
TEST(Checksum, IsThatOfXxhsum) {
  EXPECT_EQ(Checksum().hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(in_pieces("quoin", 5), "468eb6aed5d2c39a5828f88853f98d2f");
  std::string lines;  // of seq 1 100000
  for (int k = 1; k <= 100'000; ++k) lines += std::to_string(k) + "\n";
  for (const std::size_t piece : {std::size_t{7}, std::size_t{4096}, lines.size()})
    EXPECT_EQ(in_pieces(lines, piece), "a6bb1ae3f57b6a512881c59907229fa4") << piece;
}

TEST(Checksum, GoesOnAfterItWasRead) {
  const std::string text = "quoin";
  const auto bytes = std::as_bytes(std::span(text));
  Checksum sum;
  sum.add(bytes.first(2));
  EXPECT_NE(sum.hex(), in_pieces("quoin", 5));
  sum.add(bytes.subspan(2));
  EXPECT_EQ(sum.hex(), in_pieces("quoin", 5));
}

}  // namespace
}  // namespace quoin
