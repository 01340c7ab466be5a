// Formulas that others call by their names.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "fixture.hpp"

namespace quoin {
namespace {

using quoin::testing::count_mistakes;
using quoin::testing::mistakes;
using quoin::testing::parse_case;
using ::testing::HasSubstr;

std::string with(const std::string& definitions, const std::string& source) {
  return "define: {" + definitions + "}\nproblem:\n  type: jacobi\n  grid: {nodes: [8, 6]}\n  source: \"" + source +
         "\"\n";
}

TEST(CaseDefinitions, AreUsedByFormulasAndByOneAnother) {
  const Case c = parse_case(with("h: \"1 + a*x\", a: b^2, b: 3, unit: nx", "2*h + y*a + unit"));
  const Expression source = c.expression("problem.source", {{"nx", 8.0}});
  EXPECT_EQ(source(0.5, 2.0), 2.0 * (1.0 + 9.0 * 0.5) + 2.0 * 9.0 + 8.0);
  EXPECT_EQ(source(1.5, 0.0), 2.0 * (1.0 + 9.0 * 1.5) + 8.0) << "evaluated anew at each point";
  EXPECT_EQ(source.text(), "2*h + y*a + unit");
}

TEST(CaseDefinitions, HaveTheBitsOfTheFormulaWrittenOut) {
  const Expression named =
      parse_case(with("g: 9.81, s: sin(7*x)*y", "sqrt(g)*exp(s)/3")).expression("problem.source", {});
  const Expression written("sqrt(9.81)*exp(sin(7*x)*y)/3", {});
  for (const double x : {0.1, 0.7, 1.3}) EXPECT_EQ(named(x, 0.3), written(x, 0.3));
}

TEST(CaseDefinitions, MakeAFormulaConstantOrNot) {
  const auto source = [](const std::string& definitions, const std::string& formula) {
    return parse_case(with(definitions, formula)).expression("problem.source", {});
  };
  EXPECT_TRUE(source("a: 3, b: a*pi", "b^2").constant());
  EXPECT_FALSE(source("a: x, b: a*pi", "b^2").constant());
  EXPECT_TRUE(source("a: x, b: 2", "b").constant()) << "a is not in use";
}

TEST(CaseDefinitions, TellWhetherAFormulaUsesTime) {
  const std::vector<Definition> definitions{{"wave", "sin(t)"}, {"twice", "2*wave"}, {"still", "x"}};
  EXPECT_TRUE(Expression("twice*x", {}, {}, definitions).uses_time());
  EXPECT_FALSE(Expression("still", {}, {}, definitions).uses_time());
  EXPECT_TRUE(Expression("t", {}).uses_time());
  EXPECT_FALSE(Expression("tan(x)", {}).uses_time());
}

TEST(CaseDefinitions, HaveTheirMistakesAtTheirPlace) {
  EXPECT_EQ(mistakes(with("h: 1 + sim(x)", "h")),
            "case.yaml:1:17: error: 'define.h': unknown name 'sim' in a formula; did you mean 'sin'?\n"
            "1 | define: {h: 1 + sim(x)}\n"
            "                    ^~~");
  EXPECT_THAT(mistakes(with("depth: 1", "dept*x")),
              HasSubstr("unknown name 'dept' in a formula; did you mean 'depth'?"));
  EXPECT_THAT(mistakes(with("a: [1]", "a")), HasSubstr("'define.a' expects an expression, not a list"));
  EXPECT_THAT(mistakes(with("a: ", "a")), HasSubstr("'define.a' has no value"));
  EXPECT_EQ(count_mistakes(mistakes(with("a: [1]", "a"))), 1U) << "what uses it is right";
}

TEST(CaseDefinitions, CannotUseThemselves) {
  EXPECT_EQ(mistakes(with("a: b + 1, b: 2*c, c: a", "a")),
            "case.yaml:1:13: error: 'define.a' uses itself: a -> b -> c -> a\n"
            "1 | define: {a: b + 1, b: 2*c, c: a}\n"
            "                ^~~~~");
  EXPECT_THAT(mistakes(with("a: a", "a")), HasSubstr("1:13: error: 'define.a' uses itself"));
}

TEST(CaseDefinitions, AreNotTooMany) {
  const auto chain = [](int count) {
    std::string definitions = "a0: x";
    for (int k = 1; k < count; ++k) definitions += fmt::format(", a{}: 1 + a{}", k, k - 1);
    return with(definitions, fmt::format("a{}", count - 1));
  };
  EXPECT_EQ(parse_case(chain(1000)).expression("problem.source", {})(2.0, 0.0), 1001.0);
  EXPECT_THAT(mistakes(chain(1001)), HasSubstr("1:1: error: more than 1000 definitions"));
}

TEST(CaseDefinitions, CannotTakeANameThatFormulasHave) {
  EXPECT_THAT(mistakes(with("x: 1", "x")),
              HasSubstr("1:10: error: 'x' in 'define' cannot be defined: in formulas it is "
                        "a coordinate; choose another name"));
  for (const char* taken : {"y", "t", "pi", "sin", "pow", "nx", "ly"})
    EXPECT_THAT(mistakes(with(std::string(taken) + ": 1", "1")), HasSubstr("choose another name")) << taken;
  EXPECT_THAT(mistakes(with("h-0: 1", "1")), HasSubstr("'h-0' in 'define' is no name for formulas"));
  EXPECT_THAT(mistakes(with("0h: 1", "1")), HasSubstr("starts with no digit"));
  EXPECT_THAT(mistakes("define: 3\n"), HasSubstr("'define' is a section of names"));
}

TEST(CaseDefinitions, CanBeSet) {
  const Case c = parse_case(with("h: 1", "h"), {{"define.h", "x < 0 ? 1 : 2"}});
  EXPECT_EQ(c.expression("problem.source", {})(-1, 0), 1.0);
  EXPECT_EQ(parse_case(with("a: 1", "a"), {{"define.b", "2"}, {"problem.source", "a + b"}})
                .expression("problem.source", {})(0, 0),
            3.0);
  EXPECT_THAT(mistakes(with("h: 1", "h"), {{"define.h", "w"}}), HasSubstr("--set define.h:1:10: error: 'define.h': "));
}

TEST(CaseDefinitions, AreBlamedForValuesThatAreNotFinite) {
  const Case c = parse_case(with("h: 1/x, twice: 2*h", "twice + y"));
  const Expression source = c.expression("problem.source", {});
  EXPECT_EQ(source(1.0, 0.0), 2.0);
  EXPECT_EQ(source.not_finite(), nullptr);
  EXPECT_FALSE(std::isfinite(source(0.0, 0.0)));
  ASSERT_NE(source.not_finite(), nullptr);
  EXPECT_EQ(source.not_finite()->name, "h");
  EXPECT_STREQ(c.error_at("problem.source", "inf at the node", source).what(),
               "case.yaml:1:13: error: 'define.h' is not finite there, and 'problem.source' uses it: inf at the node\n"
               "1 | define: {h: 1/x, twice: 2*h}\n"
               "                ^~~");
}

TEST(CaseDefinitions, NameOnlyConstantsOfTheProblem) {
  const Case c = parse_case(with("h: 2*nx", "h"));
  try {
    (void)c.expression("problem.source", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("case.yaml:1:15: error: 'define.h', which 'problem.source' uses: unknown name"));
  }
}

TEST(CaseDefinitions, ArePartOfTheCase) {
  const Case first = parse_case(with("h: 1/2, g: \"it - 1\", it: 2", "h + g"));
  const Case second = parse_case(first.resolved());
  EXPECT_THAT(first.resolved(), HasSubstr("define:\n  g: 'it - 1'\n  h: '1/2'\n  it: '2'\n"));
  EXPECT_EQ(second.resolved(), first.resolved());
  EXPECT_EQ(second.sha256(), first.sha256());
  EXPECT_NE(parse_case(with("h: 1/3, g: \"it - 1\", it: 2", "h + g")).sha256(), first.sha256());
}

TEST(CaseDefinitions, ThatNothingUsesAreTold) {
  EXPECT_EQ(parse_case(with("a: 1", "a")).warnings().size(), 0U);
  const std::vector<std::string> warnings = parse_case(with("a: 1, b: 2*c, c: 3", "a")).warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "case.yaml:1:19: no formula of the problem uses define.b or define.c\n"
            "1 | define: {a: 1, b: 2*c, c: 3}\n"
            "                      ^~~");
}

TEST(CaseDefinitions, OfTheTimeAreForProblemsThatHaveOne) {
  EXPECT_EQ(mistakes(with("", "sin(t)")),
            "case.yaml:5:16: error: 'problem.source': t is the time, which this problem does not have\n"
            "5 |   source: \"sin(t)\"\n"
            "                   ^");
  const Key formula{.path = "problem.f", .type = KeyType::expression, .steady = true};
  const KeyTable table(std::vector<ProblemType>{{"still", "a problem without time", {formula}}});
  const auto parse = [&](const std::string& text) { return Case::parse(text, "case.yaml", {}, table); };
  try {
    (void)parse("define: {a: 2*t, b: a}\nproblem: {type: still, f: x + b}\n");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("case.yaml:1:15: error: 'define.a', which 'problem.f' uses: t is the time, "
                                        "which this problem does not have"));
  }
  EXPECT_NO_THROW((void)parse("define: {a: 2*t}\nproblem: {type: still, f: x}\n")) << "nothing uses it";
}

TEST(CaseDefinitions, OfZAreForProblemsInSpace) {
  const Key formula{.path = "problem.f", .type = KeyType::expression, .space = true};
  const KeyTable table(
      std::vector<ProblemType>{{"room", "a problem in space", {formula}},
                               {"plane", "another", {{.path = "problem.g", .type = KeyType::expression}}}});
  const auto parse = [&](const std::string& text) { return Case::parse(text, "case.yaml", {}, table); };
  const auto mistake = [&](const std::string& text) {
    try {
      (void)parse(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Expression room =
      parse("define: {a: 2*z}\nproblem: {type: room, f: x + 10*y + 100*a}\n").expression("problem.f", {}, 'z');
  EXPECT_EQ(room(1.0, 2.0, 3.0), 621.0);
  EXPECT_TRUE(room.uses_time());
  EXPECT_FALSE(parse("problem: {type: room, f: x + y}\n").expression("problem.f", {}, 'z').uses_time());
  EXPECT_THAT(mistake("problem: {type: room, f: t}\n"), HasSubstr("1:26: error: 'problem.f': t is the time, which"));
  EXPECT_THAT(mistake("define: {z: 1}\nproblem: {type: room, f: z}\n"),
              HasSubstr("1:10: error: 'z' in 'define' cannot be defined: in formulas it is a coordinate"));
  EXPECT_THAT(mistake("problem: {type: plane, g: z}\n"), HasSubstr("1:27: error: 'problem.g': unknown name 'z'"));
  const Case named = parse("define: {z: 2*t}\nproblem: {type: plane, g: x*z}\n");
  EXPECT_EQ(named.expression("problem.g", {})(3.0, 0.0, 5.0), 30.0) << "a name as any other";
}

}  // namespace
}  // namespace quoin
