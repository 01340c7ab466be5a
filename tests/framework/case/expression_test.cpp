#include <gmock/gmock.h>

#include <clocale>
#include <cmath>
#include <locale>
#include <numbers>

#include "fixture.hpp"

namespace quoin {
namespace {

using quoin::testing::mistakes;
using quoin::testing::parse_case;
using quoin::testing::smallest_case;
using ::testing::HasSubstr;

double value(const std::string& text, double x = 0.0, double y = 0.0, double t = 0.0) {
  return Expression(text, {})(x, y, t);
}

std::string fault(const std::string& text) {
  try {
    Expression(text, {{"nx", 3.0}});
  } catch (const Error& error) {
    return error.kind() == ErrorKind::case_file ? error.what() : "another kind";
  }
  return "";
}

TEST(Expression, ComputesTheUsualFunctions) {
  EXPECT_EQ(value("2*pi"), 2 * std::numbers::pi);
  EXPECT_EQ(value("x + 10*y + 100*t", 1, 2, 3), 321.0);
  EXPECT_EQ(value("x^3", 2), 8.0);
  EXPECT_EQ(value("-x^2", 3), -9.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("pow(x, 3)", 2), 8.0);
  EXPECT_EQ(value("abs(-2) + min(1, 2) + max(1, 2) + sqrt(4)"), 7.0);
  EXPECT_EQ(value("floor(-1.5) + ceil(1.2)"), 0.0);
  EXPECT_EQ(value("log(x)", 10), std::log(10.0)) << "log is the natural logarithm";
  EXPECT_EQ(value("ln(x)", 10), std::log(10.0));
  EXPECT_EQ(value("log10(x)", 1000), 3.0);
  EXPECT_EQ(value("exp(x)*sin(x)*cos(x)*tan(x)*tanh(x)*atan2(x, 2)", 0.5),
            std::exp(0.5) * std::sin(0.5) * std::cos(0.5) * std::tan(0.5) * std::tanh(0.5) * std::atan2(0.5, 2.0));
  EXPECT_EQ(value("x == 1 ? 2 : 3", 1), 2.0);
  EXPECT_EQ(value("(x >= 1) + (x <= 1) + (x != 2)", 1), 3.0);
  EXPECT_EQ(Expression("nx*lx", {{"nx", 4.0}, {"lx", 0.5}})(0, 0), 2.0);
}

TEST(Expression, KnowsWhetherItIsConstant) {
  EXPECT_TRUE(Expression("2*pi", {}).constant());
  EXPECT_TRUE(Expression("nx", {{"nx", 4.0}}).constant());
  EXPECT_FALSE(Expression("0*y", {}).constant());
  EXPECT_FALSE(Expression("t", {}).constant());
}

// row 6
TEST(Expression, RefusesWithTheColumn) {
  EXPECT_EQ(fault("1 + sim(x)"),
            "formula:1:5: error: unknown name 'sim' in a formula; did you mean 'sin'?\n"
            "1 | 1 + sim(x)\n"
            "        ^~~");
  EXPECT_THAT(fault("x = 3"), HasSubstr("formula:1:3: error: a formula assigns nothing"));
  EXPECT_THAT(fault("x === 3"), HasSubstr("formula:1:5:"));
  EXPECT_THAT(fault("x + z"), HasSubstr("known are t, x, y, nx and pi and the usual functions"));
  EXPECT_THAT(fault("1 + sin"), HasSubstr("'sin' is a function: write sin(...)"));
  EXPECT_THAT(fault("2 * (x + 1"), HasSubstr("a closing parenthesis is missing"));
  EXPECT_THAT(fault("x +"), HasSubstr("the formula ends too early"));
  EXPECT_THAT(fault("x y"), HasSubstr("formula:1:3: error: an operator is missing before 'y'"));
  EXPECT_THAT(fault("1, 2"), HasSubstr("one value"));
  EXPECT_THAT(fault("\"text\""), HasSubstr("no texts"));
  EXPECT_THAT(fault("  "), HasSubstr("empty"));
  EXPECT_THAT(fault(std::string("x\0 + 1", 6)), HasSubstr("formula:1:2: error: a formula is written in ASCII"));
  EXPECT_THAT(fault("x\x01"), HasSubstr("a formula is written in ASCII"));
  for (const char* bad : {"x)", "()", "sin()", "sin(1,2)", "0x10", "1..2", "x ? 1", ": 1", "* 2", "2 $ 3", "x += 1"})
    EXPECT_NE(fault(bad), "") << bad;
}

TEST(Expression, SaysWhatOtherLanguagesCallDifferently) {
  const std::pair<const char*, const char*> rows[] = {
      {"Sin(x)", "1:1: error: unknown name 'Sin' in a formula; did you mean 'sin'?"},
      {"2*PI*X", "1:3: error: unknown name 'PI' in a formula; did you mean 'pi'?"},
      {"x**2", "1:2: error: a formula has no **; a power is written ^"},
      {"x % 2", "1:3: error: a formula has no %; for the rest of a division write x - y*floor(x/y)"},
      {"if(x < 0, 1, 2)", "1:1: error: unknown name 'if' in a formula; write condition ? a : b"},
      {"x < 1 and y < 1", "1:7: error: unknown name 'and' in a formula; write &&"},
      {"x < 1 or y < 1", "1:7: error: unknown name 'or' in a formula; write ||"},
      {"x < 1 & y < 1", "a formula has no &; write &&"},
      {"x < 1 | y < 1", "a formula has no |; write ||"},
      {"x <> 1", "a formula has no <>; write !="},
      {"x => 1", "a formula has no =>; write >="},
      {"!x", "a formula has no !; write (condition) == 0"},
      {"np.sin(x)", "write functions by themselves: sin(x)"},
      {"fabs(x)", "write abs"},
      {"arctan(x)", "write atan"},
      {"x*e", "write exp(1)"}};
  for (const auto& [text, words] : rows) EXPECT_THAT(fault(text), HasSubstr(words)) << text;
  for (const char* good : {"x < 1 && y < 1 || x != 2", "x == 1", "x >= 1", "x*-y"}) EXPECT_EQ(fault(good), "") << good;
}

// row 6
TEST(Expression, RefusesWhatIsTooLongOrTooDeep) {
  EXPECT_THAT(fault(std::string(200000, '(')), HasSubstr("4096 characters"));
  EXPECT_THAT(fault(std::string(201, '(') + "x" + std::string(201, ')')),
              HasSubstr("formula:1:201: error: parentheses nested deeper than 200"));
  EXPECT_EQ(fault(std::string(200, '(') + "x" + std::string(200, ')')), "");
}

// row 6
TEST(Expression, IsCheckedWhereItStandsInTheCase) {
  const auto source = [](const std::string& text) {
    return mistakes("problem:\n  type: jacobi\n  grid: {nodes: [8, 8]}\n  source: " + text + "\n");
  };
  EXPECT_THAT(source("1+w"), HasSubstr("case.yaml:4:13: error: 'problem.source': unknown name 'w'"));
  EXPECT_THAT(source("'1+w'"), HasSubstr("case.yaml:4:14:"));
  EXPECT_THAT(source("\"1+w\""), HasSubstr("case.yaml:4:14:"));
  EXPECT_THAT(source("\"\\x31+w\""), HasSubstr("case.yaml:4:11:")) << "an escape: the formula as a whole";
  EXPECT_THAT(source("|\n    1+\n    w"), HasSubstr("case.yaml:4:11:"));
  EXPECT_THAT(source("x=3"), HasSubstr("case.yaml:4:12:"));
  EXPECT_EQ(source("\"nx*ny*lx*ly + x\""), "");
  EXPECT_EQ(source("0.5"), "");
  EXPECT_EQ(source("|\n    1 +\n    x"), "");
}

TEST(Expression, KnowsItsPlace) {
  const Case c = parse_case(smallest_case, {{"problem.source", "'x'"}});
  const Expression source = c.expression("problem.source", {});
  EXPECT_EQ(source.place().source, "--set problem.source");
  EXPECT_EQ(source.place().column, 17);
  EXPECT_EQ(source.text(), "x");
}

// A locale with a decimal comma and a point between thousands, made here because none need be installed.
class CommaNumbers : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

// row 31
TEST(Expression, LocaleDoesNotMatter) {
  const Case before = parse_case(smallest_case, {{"method.tolerance", "1234.5e-8"}, {"problem.source", "1.5*1000.25"}});
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
  const Case after = parse_case(smallest_case, {{"method.tolerance", "1234.5e-8"}, {"problem.source", "1.5*1000.25"}});
  const double source = after.expression("problem.source", {})(0, 0);
  const std::string schema = quoin::testing::case_table().json_schema();
  std::locale::global(old);
  EXPECT_EQ(after.resolved(), before.resolved());
  EXPECT_EQ(source, 1500.375);
  EXPECT_EQ(schema, quoin::testing::case_table().json_schema());
}

}  // namespace
}  // namespace quoin
