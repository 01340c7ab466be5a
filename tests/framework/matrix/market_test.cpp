#include <numeric>
#include <random>

#include "quoin/matrix_market.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::entries_of;
using test::market;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

auto entry(int row, int column, double value) { return Pair(Pair(row, column), value); }

SparseMatrix parsed(const std::string& text, const MarketOptions& options = {}) {
  return parse_matrix(text, "a.mtx", options);
}

void expect_same(const SparseMatrix& a, const SparseMatrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.at, b.at);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.value, b.value);
}

TEST(MarketMatrix, Coordinates) {
  const SparseMatrix matrix = parsed(market("coordinate real general", "2 3 3\n2 3 -4e2\n1 2 0.5\n2 1 7\n"));
  EXPECT_EQ(matrix.rows, 2);
  EXPECT_EQ(matrix.columns, 3);
  EXPECT_THAT(matrix.at, ElementsAre(0, 1, 3));
  EXPECT_THAT(matrix.column, ElementsAre(1, 0, 2));
  EXPECT_THAT(matrix.value, ElementsAre(0.5, 7, -400));
}

TEST(MarketMatrix, Fields) {
  const auto of = [](const char* field, const char* rest) {
    return entries_of(parsed(market(std::string("coordinate ") + field + " general", rest)));
  };
  EXPECT_THAT(of("double", "2 2 1\n2 1 .25\n"), ElementsAre(entry(2, 1, .25)));
  EXPECT_THAT(of("integer", "2 2 2\n2 1 -9007199254740992\n1 1 +3\n"),
              ElementsAre(entry(1, 1, 3), entry(2, 1, -9007199254740992.0)));
  EXPECT_THAT(of("pattern", "2 2 2\n2 1\n1 2\n"), ElementsAre(entry(1, 2, 1), entry(2, 1, 1)));
}

TEST(MarketMatrix, Symmetries) {
  const auto of = [](const char* words, const char* rest) { return entries_of(parsed(market(words, rest))); };
  EXPECT_THAT(of("coordinate real symmetric", "3 3 3\n3 1 5\n2 2 6\n3 2 0\n"),
              ElementsAre(entry(1, 3, 5), entry(2, 2, 6), entry(2, 3, 0), entry(3, 1, 5), entry(3, 2, 0)));
  EXPECT_THAT(of("coordinate integer skew-symmetric", "3 3 2\n3 1 5\n2 1 -6\n"),
              ElementsAre(entry(1, 2, 6), entry(1, 3, -5), entry(2, 1, -6), entry(3, 1, 5)));
  EXPECT_THAT(of("coordinate pattern symmetric", "2 2 2\n2 1\n2 2\n"),
              ElementsAre(entry(1, 2, 1), entry(2, 1, 1), entry(2, 2, 1)));
}

TEST(MarketMatrix, ArraysGoColumnByColumn) {
  const auto of = [](const char* words, const char* rest) { return entries_of(parsed(market(words, rest))); };
  EXPECT_THAT(
      of("array real general", "2 3\n1\n2\n3\n0\n5\n6\n"),
      ElementsAre(entry(1, 1, 1), entry(1, 2, 3), entry(1, 3, 5), entry(2, 1, 2), entry(2, 2, 0), entry(2, 3, 6)));
  EXPECT_THAT(of("array integer symmetric", "2 2\n1\n2\n3\n"),
              ElementsAre(entry(1, 1, 1), entry(1, 2, 2), entry(2, 1, 2), entry(2, 2, 3)));
  EXPECT_THAT(
      of("array real skew-symmetric", "3 3\n1\n2\n3\n"),
      ElementsAre(entry(1, 2, -1), entry(1, 3, -2), entry(2, 1, 1), entry(2, 3, -3), entry(3, 1, 2), entry(3, 2, 3)));
  EXPECT_THAT(of("array real skew-symmetric", "1 1\n"), IsEmpty());
}

TEST(MarketMatrix, SmallAndEmptyOnes) {
  EXPECT_THAT(entries_of(parsed(market("coordinate real general", "1 1 1\n1 1 2\n"))), ElementsAre(entry(1, 1, 2)));
  EXPECT_THAT(parsed(market("coordinate real general", "3 1 0\n")).at, ElementsAre(0, 0, 0, 0));
  const SparseMatrix matrix = parsed(market("coordinate real general", "5 9 2\n4 9 1\n2 1 1\n"));
  EXPECT_THAT(matrix.at, ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_EQ(entries_of(matrix).size(), 2U);
}

TEST(MarketMatrix, LinesMayLookDifferent) {
  const SparseMatrix plain = parsed(market("coordinate real general", "2 2 2\n1 2 1.5\n2 1 2\n"));
  const std::string first = "%%matrixmarket MATRIX Coordinate REAL General";
  for (const char* rest :
       {"\n2 2 2\n1 2 1.5\n2 1 2", "\n%\n% 9 9 9\n\n  \t\n2 2 2\n1 2 1.5\n%\n\n2 1 2\n\n% the end",
        "\r\n%\r\n\r\n2 2 2\r\n1 2 1.5\r\n2 1 2\r\n", "  \n \t2\t2   2 \n   1 2 \t1.5  \n2 1 2\t\n \n"}) {
    SCOPED_TRACE(rest);
    expect_same(plain, parsed(first + rest));
  }
}

TEST(MarketMatrix, NumbersMayLookDifferent) {
  for (const auto& [text, value] : {std::pair{"+1.5", 1.5},
                                    {"1.5D+03", 1500.0},
                                    {"-2d-1", -0.2},
                                    {"+.5E+1", 5.0},
                                    {"-0.1234567890123456789D+02", -12.34567890123456789},
                                    {"3.", 3.0},
                                    {"007", 7.0},
                                    {"4.9e-324", 4.9e-324}}) {
    SCOPED_TRACE(text);
    EXPECT_THAT(entries_of(parsed(market("coordinate real general", std::string("1 1 1\n+1 001 ") + text))),
                ElementsAre(entry(1, 1, value)));
  }
}

TEST(MarketMatrix, TheOrderOfTheEntriesMeansNothing) {
  std::vector<std::string> lines;
  for (int row = 1; row <= 12; ++row)
    for (int column = 1; column <= row; column += row % 3 + 1)
      lines.push_back(std::to_string(row) + " " + std::to_string(column) + " " + std::to_string(row * 100 + column) +
                      "\n");
  for (const char* words : {"coordinate real general", "coordinate real symmetric"}) {
    const auto matrix = [&] {
      return parsed(
          market(words, std::accumulate(lines.begin(), lines.end(), "12 12 " + std::to_string(lines.size()) + "\n")));
    };
    std::sort(lines.begin(), lines.end());
    const SparseMatrix sorted = matrix();
    EXPECT_GE(entries_of(sorted).size(), lines.size());
    std::mt19937 random(7);
    for (int k = 0; k < 20; ++k) {
      std::shuffle(lines.begin(), lines.end(), random);
      expect_same(sorted, matrix());
    }
  }
}

TEST(MarketMatrix, DuplicatesAreSummedInTheOrderOfTheFile) {
  const MarketOptions options{Duplicates::sum};
  // Where the large ones come first, the 1 is not lost.
  EXPECT_THAT(entries_of(parsed(market("coordinate real general", "1 2 5\n1 2 1\n1 1 4\n1 2 1e17\n1 1 .5\n1 2 -1e17\n"),
                                options)),
              ElementsAre(entry(1, 1, 4.5), entry(1, 2, 0)));
  EXPECT_THAT(entries_of(parsed(market("coordinate integer skew-symmetric", "3 3 3\n3 2 1\n2 1 4\n3 2 2\n"), options)),
              ElementsAre(entry(1, 2, -4), entry(2, 1, 4), entry(2, 3, -3), entry(3, 2, 3)));
  const SparseMatrix matrix = parsed(market("coordinate pattern general", "4 2 4\n2 2\n2 2\n4 1\n2 2\n"), options);
  EXPECT_THAT(matrix.at, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(matrix.value, ElementsAre(3, 1));
}

}  // namespace
}  // namespace quoin
