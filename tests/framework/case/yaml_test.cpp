// Texts that are no case files, harmless or hostile.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>

#include "case/node.hpp"
#include "fixture.hpp"

namespace quoin {
namespace {

using quoin::testing::count_mistakes;
using quoin::testing::mistakes;
using quoin::testing::smallest_case;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t k = 0; k < times; ++k) result += text;
  return result;
}

std::string alias_bomb() {
  std::string text = "a0: &a0 [x, x]\n";
  for (int k = 1; k < 40; ++k) text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", k, k - 1);
  return text;
}

// row 2
TEST(CaseYaml, RefusesAKeyGivenTwice) {
  EXPECT_EQ(mistakes(smallest_case + "run: {progress: none}\nmethod: {stop: tolerance, stop: iterations}\nrun: {}\n"),
            "case.yaml:3:27: error: key 'stop' is given twice\n"
            "3 | method: {stop: tolerance, stop: iterations}\n"
            "                              ^~~~\n"
            "case.yaml:4:1: error: key 'run' is given twice\n"
            "4 | run: {}\n"
            "    ^~~");
}

// row 2
TEST(CaseYaml, RefusesASecondDocument) {
  EXPECT_THAT(mistakes(smallest_case + "---\nrun: {}\n"), StartsWith("case.yaml:2:1: error: a case file is one doc"));
  EXPECT_THAT(mistakes("{problem: 1} x\n"), HasSubstr("one document"));
  EXPECT_EQ(mistakes("---\n" + smallest_case + "...\n"), "");
}

// row 3
TEST(CaseYaml, RefusesAnchorsAliasesAndTags) {
  EXPECT_THAT(mistakes("problem: &p {type: jacobi}\n"), StartsWith("case.yaml:1:10: error: case files do not use anc"));
  EXPECT_THAT(mistakes("problem: &p [*p]\n"), HasSubstr("1:10: error: case files do not use anchors"));
  EXPECT_NE(mistakes("problem: *p\n"), "");
  for (const char* tagged : {"!!int 5", "! 5", "!x {a: 1}", "!!map {a: 1}", "!x [1]"})
    EXPECT_THAT(mistakes(std::string("problem: ") + tagged + "\n"),
                HasSubstr("1:10: error: case files do not use tags"))
        << tagged;
}

// row 2
TEST(CaseYaml, RefusesBytesThatAreNoText) {
  EXPECT_THAT(mistakes(smallest_case + std::string("run: \0", 6)), StartsWith("case.yaml:2:6: error: control charact"));
  EXPECT_THAT(mistakes(smallest_case + "\x1B[31m"), HasSubstr("2:1: error: control character 0x1b"));
  for (const char* bad :
       {"\xFF", "\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3", "\xE2\x82"})
    EXPECT_THAT(mistakes(smallest_case + "# " + bad + "\n"), HasSubstr("2:3: error: byte 0x")) << bad;
  EXPECT_EQ(mistakes("\xEF\xBB\xBF" + smallest_case + "# \xF0\x9F\x8C\x8A\r\n"), "");
}

// row 2
TEST(CaseYaml, RefusesTabsInTheIndentation) {
  EXPECT_THAT(mistakes("problem:\n\ttype: jacobi\n"), StartsWith("case.yaml:2:1: error: a tab"));
  EXPECT_THAT(mistakes("problem:\n  \ttype: jacobi\n"), StartsWith("case.yaml:2:3: error: a tab"));
}

TEST(CaseYaml, RefusesBrokenYaml) {
  EXPECT_THAT(mistakes("problem: 'x\n"), StartsWith("case.yaml:1:10: error: this quote is never closed"));
  EXPECT_THAT(mistakes("? [1]\n: 2\n"), HasSubstr("a key must be a word"));
  EXPECT_THAT(mistakes(""), HasSubstr("the file is empty"));
  EXPECT_THAT(mistakes("# nothing\n"), HasSubstr("the file is empty"));
}

TEST(CaseYaml, SaysWhatIsBrokenInPlainWords) {
  struct Row {
    const char* text;
    const char* place;
    const char* words;
  };
  const Row rows[] = {
      {"problem: [1,\n", "1:10", "this bracket is not closed; a ']' is missing"},
      {"a: {b: [1, 2]\nq: {c: 2}\n", "1:4", "this bracket is not closed; a '}' is missing"},
      {"p:\n  a: {b: [1, 2}\n  q: 1\n", "2:15", "'}' cannot close the '[' of line 2, column 10; is a ']' missing?"},
      {"p: {a: 1,\n   b: 2\nq: 1\n", "1:4", "this bracket is not closed"},
      {"p: [1, 2]]\n", "1:10", "this bracket closes nothing"},
      {"p:\n  a: \"x\nq: \"1\"\n", "2:6", "this quote is never closed"},
      {"p:\n  a: 'x\nq: 1\n", "2:6", "this quote is never closed"},
      {"p:\n  a: \"x\" y\n", "2:10", "nothing may follow the value in quotes"},
      {"p:\n  a:1\n  b: 2\n", "2:3", "a space is missing behind 'a:'"},
      {"p = 1\nq: 2\n", "1:3", "with a colon and a space"},
      {"p: 1\nq\nr: 2\n", "2:1", "a colon is missing behind this key"},
      {"p:\n  a: 1\n b: 2\n", "3:2", "the indentation does not fit"},
      {"p:\n a: 1\n   b: 2\n", "3:5", "the indentation does not fit"},
      {"p: a: b\n", "1:5", "a second value in one line"},
      {"p: @x\n", "1:4", "a value cannot start with '@'"},
      {"p: *x\n", "1:4", "write the value out"},
      {"p: \"\\q\"\n", "1:7", "nothing after a backslash"},
      {"p: it's\nq: [it's, 'it''s'\n", "2:4", "this bracket is not closed"},
  };
  for (const Row& row : rows) {
    const std::string report = mistakes(row.text);
    EXPECT_THAT(report, StartsWith(fmt::format("case.yaml:{}: error: ", row.place))) << row.text;
    EXPECT_THAT(report, HasSubstr(row.words)) << row.text;
    EXPECT_EQ(count_mistakes(report), 1U) << report;
  }
}

TEST(CaseYaml, SaysToPutAConditionalIntoQuotes) {
  EXPECT_EQ(mistakes("problem:\n  type: jacobi\n  source: x < 0 ? 1 : 2  # a step\n  grid: {nodes: [8, 8]}\n"),
            "case.yaml:3:11: error: put a formula with ?: into quotes, for YAML takes its colon for that of a key: "
            "\"x < 0 ? 1 : 2\"\n"
            "3 |   source: x < 0 ? 1 : 2  # a step\n"
            "              ^~~~~~~~~~~~~");
  const std::pair<const char*, const char*> flow[] = {
      {"{type: jacobi, source: (x<0) ? min(x, 1) : 2, initial: 0}", "1:33: error: put a formula with ?: into quotes"},
      {"{source: x<0?1:2, type: jacobi}", "\"x<0?1:2\""},
      {"{type: jacobi, source: x < 0 ? 1 : y < 0 ? 2 : 3}", "\"x < 0 ? 1 : y < 0 ? 2 : 3\""},
      {"{type: jacobi, exact: 'y < 0 ? 1 : 2', source: x < 0 ? 1 : 2}", "\"x < 0 ? 1 : 2\""}};
  for (const auto& [text, words] : flow)
    EXPECT_THAT(mistakes(std::string("problem: ") + text + "\n"), HasSubstr(words)) << text;
  // Without a space behind the colon, or in quotes, it is what it says.
  EXPECT_EQ(mistakes("problem:\n  type: jacobi\n  source: x<0 ? 1 :2\n  grid: {nodes: [8, 8]}\n"), "");
  EXPECT_EQ(mistakes("problem: {type: jacobi, source: 'x < 0 ? 1 : 2', grid: {nodes: [8, 8]}}\n"), "");
  EXPECT_EQ(mistakes(smallest_case, {{"problem.source", "x < 0 ? 1 : y < 0 ? 2 : 3"}}), "");
}

// row 3
TEST(CaseYaml, VisitsBoundedlyManyValues) {
  const auto visited = [](const std::string& text) {
    Diagnostics diagnostics;
    YamlReader reader(text, {"bomb", 1, 1, 1}, diagnostics);
    EXPECT_THROW(reader.read(), Error);
    return reader.visited();
  };
  EXPECT_LE(visited(alias_bomb()), 2U);
  EXPECT_LE(visited(repeated("a: [", 20000)), 66U);
  EXPECT_LE(visited(repeated("- ", 50000)), 33U);
  EXPECT_LE(visited("a: [" + repeated("1,", 50000) + "1]"), max_nodes + 1);
  EXPECT_EQ(visited(repeated("[", 1000000)), 0U) << "larger than any case file";
}

// In a child process whose address space may grow by 50 MB.
// row 3
TEST(CaseYamlDeathTest, BombsCostLittleMemory) {
  const auto largest = [](const std::string& text) { return repeated(text, largest_case_bytes / text.size()); };
  const std::string bombs[] = {
      alias_bomb(),     "a: &a [*a]\n", repeated("[", 1000000), largest("["),
      largest("{a: "),  largest("{"),   largest("a: [\n"),      "[" + largest("1,").substr(2) + "1",
      largest("\"\" "), largest("? "),  largest("a\n"),         largest("a: 1\n")};
  for (const std::string& bomb : bombs) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    EXPECT_NE(mistakes(bomb), "");  // the sanitizers reserve terabytes of addresses
#else
    const auto parse_within_limit = [&] {
      long pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      const rlim_t limit = static_cast<rlim_t>(pages) * 4096 + 50'000'000;
      const rlimit address_space{limit, limit};
      setrlimit(RLIMIT_AS, &address_space);
      std::_Exit(count_mistakes(mistakes(bomb)) >= 1 ? 0 : 1);
    };
    EXPECT_EXIT(parse_within_limit(), ::testing::ExitedWithCode(0), "") << bomb.substr(0, 20);
#endif
  }
}

}  // namespace
}  // namespace quoin
