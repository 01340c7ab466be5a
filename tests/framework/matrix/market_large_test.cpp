// Files large enough to be read by several cores at once, on machines that have them.

#include <fmt/format.h>

#include <algorithm>

#include "quoin/matrix_market.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::market;
using test::mistake;
using testing::HasSubstr;

constexpr int large_rows = 100000;

// Two entries a row but for the last row, which has one: line 2 + 2 r and the next, r from 0.
std::string large_line(int line) {
  const int row = line / 2 + 1;
  return fmt::format("{} {} {}", row, row + line % 2, 0.25 * line);
}

// The lines are ended by `end`, but for the last one; every thousandth is followed by a comment and an empty line.
std::string large_file(const std::string& end, const std::map<int, std::string>& instead = {},
                       int lines = 2 * large_rows - 1, bool comments = true) {
  std::string text = market("coordinate real general", fmt::format("{0} {0} {1}\n", large_rows, 2 * large_rows - 1));
  for (int line = 0; line < lines; ++line) {
    const auto found = instead.find(line);
    text += (line > 0 ? end : "") + (found == instead.end() ? large_line(line) : found->second);
    if (comments && line % 1000 == 999) text += end + "% 1 1 1" + end;
  }
  return text;
}

TEST(MarketLarge, EveryLineIsReadOnce) {
  for (const char* const end : {"\n", " \r\n"}) {
    const SparseMatrix matrix = parse_matrix(large_file(end), "a.mtx");
    ASSERT_EQ(matrix.value.size(), 2 * large_rows - 1U);
    for (int k = 0; k < 2 * large_rows - 1; ++k) {
      ASSERT_EQ(matrix.column[k], k / 2 + k % 2);
      ASSERT_EQ(matrix.value[k], 0.25 * k);
    }
    for (int row = 0; row < large_rows; ++row) ASSERT_EQ(matrix.at[row], 2 * row);
  }
}

// Rows with 0 to 3 entries, runs of empty ones among them, the first and the last; by rows, and with one line moved up.
TEST(MarketLarge, RowsMayBeEmptyAndOutOfOrder) {
  constexpr int rows = 300000;
  std::vector<std::string> lines;
  std::vector<std::int64_t> at{0};
  for (int row = 0; row < rows; ++row) {
    const bool empty = row < 7 || row > rows - 5 || row / 5000 % 9 == 1;
    for (int k = 0; k < (empty ? 0 : row % 4); ++k) lines.push_back(fmt::format("{} {} {}\n", row + 1, k + 1, row + k));
    at.push_back(static_cast<std::int64_t>(lines.size()));
  }
  const auto parsed = [&] {
    std::string text = market("coordinate real general", fmt::format("{0} {0} {1}\n", rows, lines.size()));
    for (const std::string& line : lines) text += line;
    return parse_matrix(text, "a.mtx");
  };
  const SparseMatrix in_order = parsed();
  EXPECT_EQ(in_order.at, at);
  for (const std::size_t k : {std::size_t{0}, std::size_t{99999}, lines.size() - 1}) {
    const std::int64_t row = std::ranges::upper_bound(at, static_cast<std::int64_t>(k)) - at.begin() - 1;
    EXPECT_EQ(in_order.value[k], static_cast<double>(row + in_order.column[k]));
  }
  std::rotate(lines.begin() + 10, lines.end() - 1, lines.end());
  const SparseMatrix moved = parsed();
  EXPECT_EQ(moved.at, at);
  EXPECT_EQ(moved.column, in_order.column);
  EXPECT_EQ(moved.value, in_order.value);
}

TEST(MarketLarge, TheFirstMistakeIsTold) {
  const auto told = [](const std::map<int, std::string>& instead) {
    return mistake(large_file("\n", instead, 2 * large_rows - 1, false));
  };
  EXPECT_EQ(told({{160000, "1 x 1"}, {190000, "y"}}), "a.mtx:160003:3: expected a column number, not 'x'");
  EXPECT_EQ(told({{100, "1 1 inf"}, {190000, "y"}}), "a.mtx:103:5: expected a finite number, not 'inf'");
  EXPECT_EQ(told({{190000, large_line(7)}}),
            "a.mtx:190003:1: row 4, column 5 comes a second time; the first is in line 10");
  EXPECT_EQ(told({{199998, "100000 100000 1\n1 1 1"}, {190000, "y"}}),
            "a.mtx:190003:1: expected a row number, not 'y'");
}

TEST(MarketLarge, ANumberOfEntriesThatLiesIsTold) {
  EXPECT_EQ(mistake(large_file("\n", {{199998, "100000 100000 1\n1 2 1"}}, 2 * large_rows - 1, false)),
            "a.mtx:200002:1: expected the end of the file, as the line of sizes announces 199999 entries and these "
            "have been read");
  EXPECT_THAT(mistake(large_file("\n", {}, 2 * large_rows - 2)),
              HasSubstr("the file ends after 199998 of 199999 entries"));
}

}  // namespace
}  // namespace quoin
