#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "testing.hpp"

namespace quoin {
namespace {

using test::market;
using test::mistake;
using testing::ElementsAre;
using testing::Le;
using testing::SizeIs;
using testing::StartsWith;

std::string text_of(const std::vector<double>& values) {
  std::string text;
  write_vector(values, [&](std::string_view piece) { text += piece; });
  return text;
}

std::vector<double> parsed_vector(const std::string& text) { return parse_vector(text, "b.mtx"); }

void expect_round_trip(const std::vector<double>& values) {
  const std::vector<double> again = parsed_vector(text_of(values));
  ASSERT_EQ(again.size(), values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again[k]), std::bit_cast<std::uint64_t>(values[k])) << values[k];
}

TEST(MarketVector, OfArraysAndCoordinates) {
  EXPECT_THAT(parsed_vector(market("array real general", "3 1\n1\n-2.5\n3D2\n")), ElementsAre(1, -2.5, 300));
  EXPECT_THAT(parsed_vector(market("coordinate real general", "4 1 2\n4 1 7\n2 1 -1\n")), ElementsAre(0, -1, 0, 7));
  EXPECT_THAT(parsed_vector(market("coordinate pattern general", "2 1 0\n")), ElementsAre(0, 0));
  EXPECT_THAT(parsed_vector(market("array integer symmetric", "1 1\n3\n")), ElementsAre(3));
}

TEST(MarketVector, WithMistakesIsRefused) {
  const auto refused = [](const std::string& text) {
    return mistake(ErrorKind::case_file, [&] { parsed_vector(text); });
  };
  EXPECT_EQ(refused(market("array real general", "% wide\n\n 1 3\n1\n2\n3\n")),
            "b.mtx:4:2: a vector has 1 column, not 3");
  EXPECT_EQ(refused(market("coordinate real general", "3 1 2\n3 1 4\n3 1 4\n")),
            "b.mtx:4:1: row 3, column 1 comes a second time; the first is in line 3");
  EXPECT_EQ(refused(market("array real general", "3 1\n1\n2\n")), "b.mtx:5:1: the file ends after 2 of 3 entries");
}

TEST(MarketVector, IsWrittenInShort) {
  EXPECT_EQ(text_of({1, -0.0, 0.1, 1e308, -2.5e-7}),
            market("array real general", "5 1\n1\n-0\n0.1\n1e+308\n-2.5e-07\n"));
}

TEST(MarketVector, ComesBackBitForBit) {
  using Limits = std::numeric_limits<double>;
  expect_round_trip({0.0, -0.0, 1.0 / 3, 1e308, Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(),
                     -Limits::denorm_min(), Limits::min() - Limits::denorm_min(), 5e-320, Limits::epsilon(),
                     0x1p53 + 2});
  std::mt19937_64 random(11);
  std::vector<double> any;
  while (any.size() < 10000)
    if (const auto value = std::bit_cast<double>(random()); std::isfinite(value)) any.push_back(value);
  expect_round_trip(any);
}

TEST(MarketVector, IsWrittenInPieces) {
  std::vector<std::string> pieces;
  write_vector(std::vector<double>(100000, 0.125), [&](std::string_view piece) { pieces.emplace_back(piece); });
  EXPECT_THAT(pieces, SizeIs(10));
  for (const std::string& piece : pieces) EXPECT_THAT(piece.size(), Le((1U << 16U) + 32));
}

TEST(MarketVector, IsNotWrittenWhereItIsNotFinite) {
  EXPECT_THAT(mistake(ErrorKind::diverged,
                      [] {
                        text_of({1, std::nan("")});
                      }),
              StartsWith(": value 2 of the vector is nan; "));
  EXPECT_THAT(mistake(ErrorKind::diverged, [] { text_of({-std::numeric_limits<double>::infinity()}); }),
              StartsWith(": value 1 of the vector is -inf; "));
}

}  // namespace
}  // namespace quoin
