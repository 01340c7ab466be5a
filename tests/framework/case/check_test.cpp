// What a case may hold, and what a user reads where it holds something else.

#include <gmock/gmock.h>

#include "fixture.hpp"

namespace quoin {
namespace {

using quoin::testing::count_mistakes;
using quoin::testing::mistakes;
using quoin::testing::parse_case;
using quoin::testing::smallest_case;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string with_method(const std::string& keys) { return smallest_case + "method: {" + keys + "}\n"; }
std::string with_nodes(const std::string& nodes) { return "problem: {type: jacobi, grid: {nodes: " + nodes + "}}\n"; }

TEST(CaseCheck, FillsInDefaults) {
  const Case c = parse_case(smallest_case);
  EXPECT_THAT(c.integers("problem.grid.nodes"), ElementsAre(8, 6));
  EXPECT_THAT(c.reals("problem.domain.x"), ElementsAre(0.0, 1.0));
  EXPECT_EQ(c.text("method.variant"), "auto");
  EXPECT_FALSE(c.has("method.tolerance"));
  EXPECT_EQ(c.text("method.residual_norm"), "l2");
  EXPECT_EQ(c.integer("method.max_iterations"), 1000);
  EXPECT_TRUE(c.boolean("output.fields.write"));
  EXPECT_EQ(c.expression("problem.source", {})(0.3, 0.4), 0.0);
  EXPECT_FALSE(c.has("problem.exact"));
  ASSERT_EQ(c.backends().size(), 1U);
  EXPECT_EQ(c.backends()[0].name, "serial");
  EXPECT_EQ(c.backends()[0].device, "0");
}

// row 1
TEST(CaseCheck, WritesAMistakeWithItsLineAndACaret) {
  EXPECT_EQ(mistakes(smallest_case + "method:\n  tolerence: 1e-8\n"),
            "case.yaml:3:3: error: unknown key 'tolerence' in 'method'; did you mean 'tolerance'?\n"
            "3 |   tolerence: 1e-8\n"
            "      ^~~~~~~~~");
}

// row 1
TEST(CaseCheck, ReportsEveryMistakeInOnePassInTheirOrder) {
  const std::string report = mistakes(
      "problem:\n"
      "  type: jacobi\n"
      "  grid: {nodes: [0, 100]}\n"
      "  source: \"sin(\xC3\xA9)\"\n"
      "  boundary: {left: 'sim(y)'}\n"
      "method: {variant: clasic, tolerance: fast}\n"
      "outptu: {fields: true}\n");
  EXPECT_EQ(count_mistakes(report), 6U) << report;
  const char* places[] = {
      "case.yaml:3:18:", "case.yaml:4:16:", "case.yaml:5:21:", "case.yaml:6:19:", "case.yaml:6:38:", "case.yaml:7:1:"};
  std::size_t last = 0;
  for (const char* place : places) {
    const std::size_t at = report.find(place);
    ASSERT_NE(at, std::string::npos) << place << "\n" << report;
    EXPECT_GE(at, last);
    last = at;
  }
  EXPECT_THAT(report, HasSubstr("did you mean 'classic'?"));
  EXPECT_THAT(report, HasSubstr("did you mean 'output'?"));
}

TEST(CaseCheck, CaretStandsBelowItsCharacter) {
  EXPECT_THAT(mistakes(smallest_case + "method: {stop: \"\xC3\xA4\xC3\xB6\", variant: x}\n"),
              HasSubstr("2:31: error: 'method.variant' cannot be 'x'; allowed: auto, classic, fused or blocked\n"
                        "2 | method: {stop: \"\xC3\xA4\xC3\xB6\", variant: x}\n"
                        "                                  ^"));
}

TEST(CaseCheck, CutsLongLines) {
  const std::string report = mistakes(smallest_case + "method: {stop: " + std::string(5000, 'a') + ", variant: x}\n");
  EXPECT_EQ(count_mistakes(report), 2U);
  EXPECT_LT(report.size(), 1000U);
}

// row 1
TEST(CaseCheck, NamesMissingKeysOnce) {
  EXPECT_THAT(mistakes("problem: {type: jacobi}\n"), HasSubstr("missing key 'grid.nodes' in 'problem'"));
  EXPECT_THAT(mistakes("method: {}\n"), HasSubstr("missing key 'problem.type'"));
  EXPECT_EQ(count_mistakes(mistakes("method: {}\n")), 1U);
  // The misspelt key is the missing one.
  EXPECT_EQ(count_mistakes(mistakes("problem: {type: jacobi, gird: {nodes: [4, 4]}}\n")), 1U);
  EXPECT_EQ(count_mistakes(mistakes("problem: {type: jacoby, grid: {nodes: [4, 4]}}\n")), 1U);
}

TEST(CaseCheck, TellsAKeyThatIsJoinedToItsValue) {
  EXPECT_EQ(mistakes(with_method("tolerance:1e-3")),
            "case.yaml:2:10: error: a space is missing behind 'tolerance:'\n"
            "2 | method: {tolerance:1e-3}\n"
            "             ^~~~~~~~~~~~~~");
  EXPECT_THAT(mistakes(with_method("tolerance = 1e-3")),
              HasSubstr("2:10: error: a key and its value are written with"));
  EXPECT_EQ(count_mistakes(mistakes("problem: {type:jacobi, grid: {nodes: [8, 8]}}\n")), 1U);
  EXPECT_THAT(mistakes("problem:\n  type: jacobi\n  grid:\n    nodes:[8, 8]\n"),
              HasSubstr("4:5: error: a space is missing behind 'nodes:'"));
}

// row 1
TEST(CaseCheck, SaysWhereAKeyBelongs) {
  EXPECT_THAT(mistakes(smallest_case + "tolerance: 1e-3\n"), HasSubstr("it belongs in 'method'"));
  EXPECT_THAT(mistakes(smallest_case + "output: {title: x}\n"), HasSubstr("it belongs at the top of the file"));
  EXPECT_THAT(mistakes("problem: {type: jacobi, grid: {nodes: [8, 8]}, speed: 1}\n"),
              HasSubstr("it belongs to the problem 'wave'"));
  EXPECT_THAT(mistakes("problem: {type: wave, speed: 1, grid: {nodes: [8, 8]}}\n"), HasSubstr("unknown key 'grid'"));
  EXPECT_EQ(mistakes("problem: {type: wave, speed: 1}\n"), "");
}

// row 1
TEST(CaseCheck, RefusesTheWrongType) {
  EXPECT_THAT(mistakes(with_method("tolerance: [1]")), HasSubstr("expects a real number, not a list"));
  EXPECT_THAT(mistakes(with_method("tolerance: '1e-3'")), HasSubstr("remove the quotes"));
  EXPECT_THAT(mistakes(with_method("max_iterations: 1.5")), HasSubstr("an integer is written without a fraction"));
  EXPECT_THAT(mistakes(with_method("max_iterations: 1.25e1")), HasSubstr("an integer is written without a fraction"));
  EXPECT_THAT(mistakes(with_method("tolerance:")), HasSubstr("has no value"));
  EXPECT_THAT(mistakes(with_method("stop: {a: 1}")), HasSubstr("expects tolerance or iterations, not a map"));
  EXPECT_THAT(mistakes(with_nodes("8")), HasSubstr("is a list of 2 to 3 integers"));
  EXPECT_THAT(mistakes(with_nodes("[8, 8, 8, 8]")), HasSubstr("is a list of 2 to 3 integers, not 4"));
  EXPECT_THAT(mistakes(with_nodes("[8, [8]]")), HasSubstr("expects 2 to 3 integers, not a list"));
  EXPECT_THAT(mistakes(smallest_case + "output: {fields: yes}\n"), HasSubstr("neither true nor false"));
  EXPECT_THAT(mistakes(smallest_case + "output: results\n"), HasSubstr("is a section with the keys"));
  EXPECT_THAT(mistakes(smallest_case + "output: {directory: ''}\n"), HasSubstr("is empty"));
  EXPECT_THAT(mistakes("just text\n"), HasSubstr("consists of sections"));
}

// row 4
TEST(CaseCheck, RefusesNumbersThatCouldBeMisread) {
  for (const char* number : {"010", "-010", "1e400", "1e-400", ".nan", "nan", ".inf", "inf", "0x10", "1_000", "+-1",
                             "+010", "++1", "+", "1e", "--1", "1 2", "1,5", "true"}) {
    EXPECT_NE(mistakes(smallest_case + "method:\n  tolerance: " + number + "\n"), "") << number;
  }
  for (const char* number : {"010", "12345678901234567890", "-9223372036854775809", "0x10", "0o17", "1e19", "1.0",
                             "1.5e0", "1e-1", "010e2", "1e99", "ten", "1_000", "+-1", ".nan", "-"})
    EXPECT_NE(mistakes(smallest_case + "method:\n  max_iterations: " + number + "\n"), "") << number;
  for (const char* number :
       {"1", "0.5", ".5", "5.", "1e-5", "+1e-8", "+1", "1E+3", "4.9e-324", "1.7976931348623157e308"})
    EXPECT_EQ(mistakes(smallest_case + "method:\n  tolerance: " + number + "\n"), "") << number;
}

TEST(CaseCheck, ReadsIntegersWithAnExponentWhereTheyAreExact) {
  const std::pair<const char*, std::int64_t> numbers[] = {
      {"1e6", 1000000}, {"1E+6", 1000000}, {"1.5e3", 1500}, {"+7", 7}, {"120e-1", 12}, {"0.5e1", 5}, {"1.50e1", 15}};
  for (const auto& [text, value] : numbers) {
    const Case c = parse_case(with_method("max_iterations: " + std::string(text)));
    EXPECT_EQ(c.integer("method.max_iterations"), value) << text;
    EXPECT_THAT(c.resolved(), HasSubstr("max_iterations: " + std::to_string(value) + "\n"));
  }
  EXPECT_THAT(parse_case(with_nodes("[1e1, 2e1]")).integers("problem.grid.nodes"), ElementsAre(10, 20));
}

TEST(CaseCheck, ReadsTimesByTheClock) {
  const std::pair<const char*, double> times[] = {
      {"90", 90},    {"90 s", 90},        {"30 seconds", 30}, {"5 min", 300},    {"10 minutes", 600}, {"1 minute", 60},
      {"2 h", 7200}, {"1.5 hours", 5400}, {"1 day", 86400},   {"2days", 172800}, {"'5 min'", 300},    {"1e1 s", 10}};
  for (const auto& [text, seconds] : times) {
    const Case c = parse_case(smallest_case + "run: {watchdog: " + text + "}\n");
    EXPECT_EQ(c.seconds("run.watchdog"), seconds) << text;
    EXPECT_EQ(parse_case(c.resolved()).resolved(), c.resolved()) << text;
  }
  EXPECT_THAT(mistakes(smallest_case + "run: {grace: 1e308 days}\n"), HasSubstr("longer than any number of seconds"));
  for (const char* text : {"5 m", "min", "5 minn", "-1 s", "-1", "1 s 2", "five min", "nan", "1  min", "s"})
    EXPECT_THAT(mistakes(smallest_case + "run: {grace: " + text + "}\n"),
                HasSubstr("is not a time; write seconds, or "))
        << text;
}

// rows 1, 4
TEST(CaseCheck, SaysTheAllowedRange) {
  EXPECT_THAT(mistakes(with_nodes("[0, 8]")), HasSubstr("is '0'; allowed: 1 to 2147483648"));
  EXPECT_THAT(mistakes(with_nodes("[8, -1]")), HasSubstr("is '-1'; allowed: 1 to 2147483648"));
  EXPECT_EQ(count_mistakes(mistakes(with_nodes("[4294967296, 4294967296]"))), 2U);
  EXPECT_EQ(mistakes(with_nodes("[2147483648, 2147483648]")), "");
  EXPECT_THAT(mistakes(with_method("tolerance: 0")), HasSubstr("allowed: greater than 0"));
  EXPECT_THAT(mistakes("problem: {type: jacobi, grid: {nodes: [8, 8]}, domain: {x: [1, 1]}}\n"),
              HasSubstr("must increase"));
}

TEST(CaseCheck, ReadsEveryFormOfABackend) {
  EXPECT_EQ(parse_case(smallest_case + "backend: tuned:host\n").backends()[0].device, "host");
  const Case c = parse_case(smallest_case + "backend: [tuned:1, {name: tuned, device: H100, block: 64}, hip]\n");
  ASSERT_EQ(c.backends().size(), 3U);
  EXPECT_EQ(c.backends()[0].options.at("block"), "256");
  EXPECT_EQ(c.backends()[1].device, "H100");
  EXPECT_EQ(c.backends()[1].options.at("block"), "64");
  EXPECT_EQ(c.backends()[1].options.at("mode"), "fast");
  EXPECT_EQ(c.backends()[2].name, "hip");
  EXPECT_EQ(c.backends()[2].place.line, 2);
  EXPECT_EQ(c.backends()[2].place.column, 60);
}

TEST(CaseCheck, ReadsTheMemoryOfABackend) {
  const auto memory_of = [](const std::string& backend) {
    return parse_case(smallest_case + "backend: " + backend + "\n").backends()[0].memory;
  };
  EXPECT_EQ(memory_of("serial"), MemoryKind::device);
  EXPECT_EQ(memory_of("{name: serial, memory: device}"), MemoryKind::device);
  EXPECT_EQ(memory_of("{name: absent, memory: zero_copy}"), MemoryKind::zero_copy);
  EXPECT_EQ(memory_of("{name: tuned, memory: shared_atomic, block: 64}"), MemoryKind::shared_atomic);
  EXPECT_THAT(mistakes(smallest_case + "backend: {name: serial, memory: pined}\n"),
              AllOf(HasSubstr("'pined'"), HasSubstr("did you mean 'pinned'")));
  const Case again = parse_case(parse_case(smallest_case + "backend: {name: serial, memory: pinned}\n").resolved());
  EXPECT_EQ(again.backends()[0].memory, MemoryKind::pinned);
}

TEST(CaseCheck, GivesAllValuesAsTheyAreWritten) {
  const auto all = parse_case(smallest_case + "title: it's mine\nbackend: {name: tuned, block: 64}\n").all();
  for (const auto& [path, value] : std::map<std::string, std::string>{{"title", "'it''s mine'"},
                                                                      {"problem.grid.nodes", "[8, 6]"},
                                                                      {"method.max_iterations", "1000"},
                                                                      {"output.fields.write", "true"},
                                                                      {"backend.name", "tuned"},
                                                                      {"backend.device", "0"},
                                                                      {"backend.memory", "device"},
                                                                      {"backend.block", "64"},
                                                                      {"backend.mode", "fast"}})
    EXPECT_EQ(all.at(path), value) << path;
  const auto several = parse_case(smallest_case + "backend: [serial:1, tuned]\n").all();
  EXPECT_EQ(several.at("backend[1].device"), "1");
  EXPECT_EQ(several.at("backend[2].block"), "256");
  EXPECT_FALSE(several.contains("backend.name") || several.contains("backend[1].block"));
}

TEST(CaseCheck, ChecksTheKeysOfAKnownBackendOnly) {
  const auto backend = [](const std::string& text) { return mistakes(smallest_case + "backend: " + text + "\n"); };
  EXPECT_THAT(backend("{name: tuned, blok: 64}"), HasSubstr("unknown key 'blok' of the backend 'tuned'; did you mean "
                                                            "'block'?"));
  EXPECT_THAT(backend("{name: tuned, block: 8}"), HasSubstr("allowed: at least 32"));
  EXPECT_THAT(backend("{name: serial, block: 64}"), HasSubstr("unknown key 'block'"));
  EXPECT_EQ(backend("{name: absent, anything: 64}"), "");
  EXPECT_THAT(backend("{device: 0}"), HasSubstr("missing key 'name'"));
  EXPECT_THAT(backend("[]"), HasSubstr("list of backends is empty"));
  EXPECT_THAT(backend("[[serial]]"), HasSubstr("a backend is"));
  EXPECT_THAT(backend("'serial:'"), HasSubstr("NAME:DEVICE"));
  EXPECT_THAT(backend("a\rb"), HasSubstr("control character"));
  EXPECT_THAT(backend("\"a\\nb\""), HasSubstr("control character"));
  EXPECT_THAT(backend(""), HasSubstr("a backend is"));
}

TEST(CaseOverride, ReplacesAddsAndChecks) {
  const Case c = parse_case(smallest_case, {{"method.tolerance", "1e-3"},
                                            {"problem.grid.nodes", "[3, 4]"},
                                            {"method.tolerance", "1e-4"},
                                            {"backend", "tuned:1"},
                                            {"backend.block", "128"}});
  EXPECT_EQ(c.real("method.tolerance"), 1e-4);
  EXPECT_THAT(c.integers("problem.grid.nodes"), ElementsAre(3, 4));
  EXPECT_EQ(c.backends()[0].device, "1");
  EXPECT_EQ(c.backends()[0].options.at("block"), "128");
}

TEST(CaseOverride, ReportsMistakesAtTheArgument) {
  EXPECT_EQ(mistakes(smallest_case, {{"method.tolerence", "1e-3"}}),
            "--set method.tolerence:1:8: error: unknown key 'tolerence' in 'method'; did you mean 'tolerance'?\n"
            "1 | method.tolerence=1e-3\n"
            "           ^~~~~~~~~");
  EXPECT_THAT(mistakes(smallest_case, {{"problem.source", "sin(w)"}}), HasSubstr("--set problem.source:1:20: error:"));
  EXPECT_THAT(mistakes(smallest_case, {{"problem.type.x", "1"}}), HasSubstr("'problem.type' has no keys here"));
  EXPECT_THAT(mistakes(smallest_case, {{"method..stop", "1"}}), HasSubstr("path is empty"));
  EXPECT_EQ(count_mistakes(
                mistakes(smallest_case + "run: {progress: x}\n", {{"method.stop", "[1"}, {"method.variant", "y"}})),
            3U);
}

TEST(CaseOverride, TakesTheValueOfAnOptionAsItStands) {
  const std::string folder = "a: [b, #c";
  EXPECT_EQ(parse_case(smallest_case, {{"output.directory", folder, "--output"}}).text("output.directory"), folder);
  EXPECT_THAT(mistakes(smallest_case, {{"run.threads", "many", "--threads"}}), HasSubstr("--threads:1:1: error:"));
}

TEST(CaseResolved, ReadsBackToTheSameCase) {
  const Case first = parse_case(
      "title: \"Rick's: 1 # 2\"\n"
      "problem: {type: jacobi, grid: {nodes: [8, 6]}, source: 'x', exact: \"it's\"}\n"
      "backend: [{name: tuned, block: 64}, {name: absent, a: 3, b: '3', c: [1, 2], d: no}, serial]\n"
      "method: {tolerance: 0.00001}\n"
      "output: {directory: \"a 'quoted': name\"}\n",
      {{"problem.exact", "x*y"}});
  const Case second = parse_case(first.resolved());
  EXPECT_EQ(second.resolved(), first.resolved());
  EXPECT_EQ(second.sha256(), first.sha256());
  EXPECT_EQ(second.text("output.directory"), "a 'quoted': name");
  EXPECT_EQ(second.text("title"), "Rick's: 1 # 2");
  ASSERT_EQ(second.backends().size(), 3U);
  EXPECT_EQ(second.backends()[1].options, first.backends()[1].options);
  EXPECT_THAT(first.resolved(), HasSubstr("max_iterations: 1000"));
}

TEST(CaseResolved, HashTellsWhatIsSolvedAndNotWhere) {
  const std::string hash = parse_case(smallest_case).sha256();
  EXPECT_EQ(hash, parse_case(smallest_case, {{"title", "'it''s: a case'"}}).sha256());
  EXPECT_EQ(hash.size(), 64U);
  EXPECT_EQ(hash, parse_case(smallest_case, {{"backend", "tuned"}, {"output.directory", "x"}}).sha256());
  EXPECT_EQ(hash, parse_case(smallest_case, {{"method.max_iterations", "1000"}}).sha256());
  EXPECT_NE(hash, parse_case(smallest_case, {{"method.tolerance", "1e-6"}}).sha256());
}

TEST(CaseErrors, PointIntoTheValue) {
  const Case c = parse_case("problem:\n  type: jacobi\n  grid: {nodes: [8, 6]}\n  source: \"1/(x-y)\"\n");
  EXPECT_STREQ(c.error_at("problem.source", "division by zero", 1).what(),
               "case.yaml:4:13: error: division by zero\n"
               "4 |   source: \"1/(x-y)\"\n"
               "                ^");
  EXPECT_STREQ(c.error_at("problem.boundary.left.value", "of a default").what(), "case.yaml: error: of a default");
}

TEST(CaseLoad, TellsFilesThatCannotBeRead) {
  try {
    Case::load("/nonexistent/case.yaml", {}, quoin::testing::case_table());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_EQ(error.where(), "/nonexistent/case.yaml");
  }
}

}  // namespace
}  // namespace quoin
