#include <tuple>

#include "testing.hpp"

namespace quoin {
namespace {

using test::market;
using test::mistake;
using testing::HasSubstr;
using testing::StartsWith;

std::string general(const std::string& rest) { return market("coordinate real general", rest); }

TEST(MarketMistakes, OfTheFirstLine) {
  const char* foreign = "a.mtx:1:1: expected %%MatrixMarket: this is not a Matrix Market file";
  EXPECT_EQ(mistake(""), foreign);
  EXPECT_EQ(mistake("\n%%MatrixMarket matrix coordinate real general\n1 1 0\n"), foreign);
  EXPECT_EQ(mistake("solid cube\n"), foreign);
  EXPECT_EQ(mistake("%%MatrixMarket"), "a.mtx:1:15: the line ends here; expected matrix");
  EXPECT_EQ(mistake("%%MatrixMarket vector array real general\n"), "a.mtx:1:16: expected matrix, not 'vector'");
  EXPECT_EQ(mistake(market("coordinates real general", "")),
            "a.mtx:1:23: expected coordinate or array, not 'coordinates'; did you mean 'coordinate'?");
  EXPECT_EQ(mistake(market("coordinate  float general", "")),
            "a.mtx:1:35: expected real, double, integer or pattern, not 'float'");
  EXPECT_EQ(mistake(market("coordinate real", "")),
            "a.mtx:1:38: the line ends here; expected general, symmetric or skew-symmetric");
  EXPECT_EQ(mistake(market("coordinate real diagonal", "")),
            "a.mtx:1:39: expected general, symmetric or skew-symmetric, not 'diagonal'");
  EXPECT_EQ(mistake(market("coordinate Complex general", "")), "a.mtx:1:34: complex matrices are not supported");
  EXPECT_EQ(mistake(market("array real hermitian", "")), "a.mtx:1:34: hermitian matrices are not supported");
  EXPECT_EQ(mistake(market("array pattern general", "")),
            "a.mtx:1:29: an array has values, a pattern has none; expected real, double or integer");
  EXPECT_EQ(mistake(market("coordinate pattern skew-symmetric", "")),
            "a.mtx:1:42: a pattern has no signs; expected general or symmetric");
  EXPECT_EQ(mistake(market("array real general 2 2", "")), "a.mtx:1:42: expected the end of the line, not '2'");
}

TEST(MarketMistakes, OfTheSizes) {
  for (const auto& [sizes, said] : {
           std::tuple{"", "a.mtx:2:1: the file ends before the line of sizes"},
           {"% a comment", "a.mtx:2:12: the file ends before the line of sizes"},
           {"\nthree", "a.mtx:3:1: expected the number of rows, not 'three'"},
           {"3 3.5 2", "a.mtx:2:3: expected the number of columns, not '3.5'"},
           {"3 3\n", "a.mtx:2:4: the line ends here; expected the number of entries"},
           {"3", "a.mtx:2:2: the file ends here; expected the number of columns"},
           {"3 3 2 1", "a.mtx:2:7: expected the end of the line, not '1'"},
           {"0 3 0", "a.mtx:2:1: the number of rows is 0; it must be at least 1"},
           {"3 -3 0", "a.mtx:2:3: the number of columns is -3; it must be at least 1"},
           {"3 3 -1", "a.mtx:2:5: the number of entries is -1; it must be at least 0"},
           {"99999999999999999999 3 1", "a.mtx:2:1: the number of rows is too large"},
           {"2 3 7", "a.mtx:2:5: the file cannot hold 7 entries: there are places for 6"},
       })
    EXPECT_EQ(mistake(general(sizes)), said);
  EXPECT_EQ(mistake(market("coordinate real symmetric", "3 3 7")),
            "a.mtx:2:5: the file cannot hold 7 entries: there are places for 6");
  EXPECT_EQ(mistake(market("coordinate real skew-symmetric", "4 4 7")),
            "a.mtx:2:5: the file cannot hold 7 entries: there are places for 6");
  EXPECT_EQ(mistake(market("coordinate real symmetric", "\n3 4 1")),
            "a.mtx:3:1: a symmetric matrix has as many rows as columns, not 3 and 4");
  EXPECT_EQ(mistake(market("array real general", "4000000000 4000000000")),
            "a.mtx:2:1: an array of this size has too many values");
  EXPECT_EQ(mistake(market("array real symmetric", "6000000000 6000000000")),
            "a.mtx:2:1: an array of this size has too many values");
}

TEST(MarketMistakes, OfAnEntry) {
  for (const auto& [entry, said] : {
           std::tuple{"0 1 1", "a.mtx:4:1: row 0: rows are numbered from 1"},
           {"1 -2 1", "a.mtx:4:3: column -2: columns are numbered from 1"},
           {"3 1 1", "a.mtx:4:1: row 3 is beyond the 2 rows"},
           {"  2 12 1", "a.mtx:4:5: column 12 is beyond the 10 columns"},
           {"1 99999999999999999999 1", "a.mtx:4:3: column 99999999999999999999 is beyond the 10 columns"},
           {"1.0 2 1", "a.mtx:4:1: expected a row number, not '1.0'"},
           {"1 2x 1", "a.mtx:4:3: expected a column number, not '2x'"},
           {"1 ++2 1", "a.mtx:4:3: expected a column number, not '++2'"},
           {"1\n2 1\n", "a.mtx:4:2: the line ends here; expected a column number"},
           {"1 2\t\r\n2 3 4\n", "a.mtx:4:6: the line ends here; expected a number"},
           {"1 2", "a.mtx:4:4: the file ends here; expected a number"},
           {"1 2 3 4", "a.mtx:4:7: expected the end of the line, not '4'"},
           {"1 2 3.5x", "a.mtx:4:5: expected a number, not '3.5x'"},
           {"1 2 1,5", "a.mtx:4:5: expected a number, not '1,5'"},
           {"1 2 1.5D", "a.mtx:4:5: expected a number, not '1.5D'"},
           {"1 2 +-1", "a.mtx:4:5: expected a number, not '+-1'"},
           {"1 2 one", "a.mtx:4:5: expected a number, not 'one'"},
           {"1 2 nan", "a.mtx:4:5: expected a finite number, not 'nan'"},
           {"1 2 -Inf", "a.mtx:4:5: expected a finite number, not '-Inf'"},
           {"1 2 1e999", "a.mtx:4:5: 1e999 is beyond the range of double precision"},
           {"1 2 -1D-999", "a.mtx:4:5: -1D-999 is beyond the range of double precision"},
       })
    EXPECT_EQ(mistake(general(std::string("2 10 2\n1 1 1\n") + entry)), said);
  EXPECT_EQ(mistake(general("2 1 1\n1 2 1\n")), "a.mtx:3:3: column 2 is beyond the only column");
  EXPECT_EQ(mistake(market("coordinate pattern general", "2 2 1\n1 2 1\n")),
            "a.mtx:3:5: expected the end of the line, not '1'");
  EXPECT_EQ(mistake(market("array real general", "2 1\n1\n2 3\n")), "a.mtx:4:3: expected the end of the line, not '3'");
}

TEST(MarketMistakes, OfAnInteger) {
  for (const auto& [value, said] : {
           std::tuple{"1.5", "expected an integer, not '1.5'"},
           {"9007199254740993",
            "9007199254740993 is beyond 9007199254740992, up to which double precision holds every integer"},
           {"-9007199254740993",
            "-9007199254740993 is beyond 9007199254740992, up to which double precision holds every integer"},
           {"-99999999999999999999",
            "-99999999999999999999 is beyond 9007199254740992, up to which double precision holds every integer"},
       })
    EXPECT_EQ(mistake(market("coordinate integer general", std::string("1 1 1\n1 1 ") + value)),
              std::string("a.mtx:3:5: ") + said);
}

TEST(MarketMistakes, OfTheCount) {
  EXPECT_EQ(mistake(general("2 2 3\n1 1 1\n2 2 1\n")), "a.mtx:5:1: the file ends after 2 of 3 entries");
  EXPECT_EQ(mistake(general("2 2 1")), "a.mtx:2:6: the file ends after 0 of 1 entries");
  EXPECT_EQ(mistake(market("array real symmetric", "2 2\n1\n2\n")), "a.mtx:5:1: the file ends after 2 of 3 entries");
  EXPECT_EQ(mistake(general("2 2 1\n1 1 1\n\n% more\n2 2 1\n")),
            "a.mtx:6:1: expected the end of the file, as the line of sizes announces 1 entry and these have been read");
  EXPECT_EQ(
      mistake(market("array real general", "2 1\n1\n2\n 3\n")),
      "a.mtx:5:2: expected the end of the file, as the line of sizes announces 2 entries and these have been read");
}

// Memory for the entries would not be had.
TEST(MarketMistakes, OfAHeaderThatLies) {
  EXPECT_EQ(mistake(general("1000000000 1000000000 1000000000000000\n1 1 1\n")),
            "a.mtx:4:1: the file ends after 1 of 1000000000000000 entries");
  EXPECT_EQ(mistake(market("array real general", "1000000000 1000000\n1\n")),
            "a.mtx:4:1: the file ends after 1 of 1000000000000000 entries");
  EXPECT_THAT(mistake(general("1000000000000000 1 1\n1 1 1\n")), StartsWith("a.mtx: the run needs "));
}

TEST(MarketMistakes, OfTheTriangle) {
  EXPECT_THAT(mistake(market("coordinate real symmetric", "3 3 2\n2 1 1\n 1 2 1\n")),
              StartsWith("a.mtx:4:2: row 1, column 2 is above the diagonal; "));
  EXPECT_THAT(mistake(market("coordinate real skew-symmetric", "3 3 2\n2 1 1\n1 2 1\n")),
              StartsWith("a.mtx:4:1: row 1, column 2 is above the diagonal; "));
  EXPECT_THAT(mistake(market("coordinate real skew-symmetric", "3 3 1\n2 2 0\n")),
              StartsWith("a.mtx:3:1: row 2, column 2 is on the diagonal, where "));
}

TEST(MarketMistakes, OfDuplicates) {
  EXPECT_EQ(mistake(general("2 2 4\n1 2 1\n2 1 3\n\n% again\n 1 2 4\n1 1 5\n")),
            "a.mtx:7:2: row 1, column 2 comes a second time; the first is in line 3");
  EXPECT_EQ(mistake(market("coordinate pattern symmetric", "3 3 4\n3 3\n2 1\n3 1\n3 1\n")),
            "a.mtx:6:1: row 3, column 1 comes a second time; the first is in line 5");
  EXPECT_EQ(mistake(general("1 1 2\n1 1 1e308\n1 1 1e308\n"), {Duplicates::sum}),
            "a.mtx:4:1: row 1, column 1 adds up to more than double precision holds, beginning in line 3");
}

TEST(MarketMistakes, NoPrefixAndNoByteMakesItCrash) {
  const std::string text = market("coordinate integer symmetric", "% of 3\n3 3 4\n1 1 4\n2 1 -1\n2 2 4\n3 3 +4\n");
  for (std::size_t size = 0; size + 1 < text.size(); ++size) EXPECT_NE(mistake(text.substr(0, size)), "") << size;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : {'\0', '\x7f', '\xff', '9', ' ', '\n'}) {
      std::string damaged = text;
      damaged[at] = byte;
      try {
        test::entries_of(parse_matrix(damaged, "a.mtx"));
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::case_file) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace quoin
