// Formulas at many points at once, and their grammar.

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "case/elementary.hpp"
#include "quoin/case.hpp"

namespace quoin {
namespace {

/// Up to a thousand points and a few more than are computed together.
constexpr std::size_t points_in_a_row = 1030;

std::vector<double> some(std::size_t count, double from, double step) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = from + step * static_cast<double>(k);
  return values;
}

bool same(double one, double other) {
  return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other) || (one != one && other != other);
}

double sine(double x) { return elementary("sin", x); }
double power(double base, double exponent) {
  (*elementary_functions())->find("pow")->of_two(&base, true, &exponent, true, &base, 1);
  return base;
}

/// At points, and along rows, a formula is what it is at each point alone.
void expect_rows(const Expression& formula) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, points_in_a_row}) {
    const std::vector<double> x = some(count, -1.5, 0.003);
    const std::vector<double> y = some(count, 2.0, -0.005);
    const std::vector<double> t = some(count, 0.0, 0.25);
    const double one = 0.75;
    std::vector<double> values(count);
    const auto check = [&](const auto& alone) {
      for (std::size_t k = 0; k < count; ++k) ASSERT_TRUE(same(values[k], alone(k))) << formula.text() << " at " << k;
    };
    formula.at({x, y, t}, values);
    check([&](std::size_t k) { return formula(x[k], y[k], t[k]); });
    formula.at({x, {&one, 1}, {&one, 1}}, values);
    check([&](std::size_t k) { return formula(x[k], one, one); });
    formula.at({{&one, 1}, y, {&one, 1}}, values);
    check([&](std::size_t k) { return formula(one, y[k], one); });
    formula.set_columns(x);
    for (const double row : {0.0, -0.25, 3.0}) {
      formula.row(row, one, values);
      check([&](std::size_t k) { return formula(x[k], row, one); });  // which leaves the columns as they are
    }
  }
}

TEST(FormulaRows, AreTheValuesOfPoints) {
  for (const char* text : {"3",
                           "x",
                           "y",
                           "t",
                           "-x",
                           "sin(pi*x)*sin(pi*y)",
                           "exp(-10*((x-0.3)^2+(y-0.4)^2))*t",
                           "x < 0 ? 1/x : y^2",
                           "max(x, y, 0.5) + min(x, y) + avg(x, 1, t) + sum(x, y, t)",
                           "atan2(y, x)",
                           "x > 0 && y > 0 || t == 0.25",
                           "floor(10*x) + ceil(y)",
                           "x^y",
                           "pow(2, x)",
                           "sqrt(x)",
                           "x*x*x - x^3",
                           "log(y)/x",
                           "sin(x)*2 + sin(x)",
                           "x^-y",
                           "2^y"})
    expect_rows(Expression(text, {}));
  const std::vector<Definition> definitions{{"r", "sqrt(x^2 + y^2)"}, {"wave", "sin(6*r - t)"}, {"height", "0.5"}};
  expect_rows(Expression("height*wave/r", {}, {}, definitions));
  expect_rows(Expression("z*r", {}, {}, definitions, 'z'));
}

TEST(FormulaRows, TellTheDefinitionThatIsNoNumberAtAPoint) {
  const std::vector<Definition> definitions{{"a", "x"}, {"b", "1/a"}, {"c", "2*b"}};
  const Expression formula("c + y", {}, {}, definitions);
  EXPECT_EQ(formula(1, 2), 4.0);
  EXPECT_EQ(formula.not_finite(), nullptr);
  std::vector<double> values(2);
  const std::vector<double> x{1, 0};
  const double zero = 0.0;
  formula.at({x, {&zero, 1}, {&zero, 1}}, values);
  EXPECT_TRUE(std::isinf(values[1]));
  (void)formula(0, 2);
  ASSERT_NE(formula.not_finite(), nullptr);
  EXPECT_EQ(formula.not_finite()->name, "b");
}

TEST(FormulaRows, BindAsTheyAreRead) {
  const double x = 0.7, y = -1.3;
  const auto value = [&](const char* text) { return Expression(text, {})(x, y); };
  EXPECT_EQ(value("x - y - 2"), (x - y) - 2);
  EXPECT_EQ(value("x / y / 2"), (x / y) / 2);
  EXPECT_EQ(value("x - y * 2 + 1"), (x - y * 2) + 1);
  EXPECT_EQ(value("-x^2"), -(x * x));
  EXPECT_EQ(value("2*-x^2"), 2 * -(x * x));
  EXPECT_EQ(value("2^-x"), power(2.0, -x));
  EXPECT_EQ(value("2^-x*3"), power(2.0, -x) * 3);
  EXPECT_EQ(value("2^x^2"), power(2.0, x * x));
  EXPECT_EQ(value("x^0.5^2"), power(x, power(0.5, 2.0)));
  EXPECT_EQ(value("y^3"), y * y * y);
  EXPECT_EQ(value("y^4"), y * y * y * y);
  EXPECT_EQ(value("+x - +y"), x - y);
  EXPECT_EQ(value("x < y == 0"), (x < y) == 0);
  EXPECT_EQ(value("x + 1 > y * 2"), 1.0);
  EXPECT_EQ(value("x > 0 || y > 0 && 0"), 1.0);
  EXPECT_EQ(value("0 && 1 || 1"), 1.0);
  EXPECT_EQ(value("x > 1 ? 1 : y > 1 ? 2 : 3"), 3.0);
  EXPECT_EQ(value("x < 1 ? y < 1 ? 4 : 5 : 6"), 4.0);
  EXPECT_EQ(value("x < 1 ? 2 : 3 + 10"), 2.0);
  EXPECT_EQ(value("1e1 + .5 + 1. + 1E-1*x"), ((1e1 + .5) + 1.) + 1E-1 * x);
  EXPECT_EQ(value("0.1 + x + 0.2"), (0.1 + x) + 0.2) << "as written, not as (0.1 + 0.2) + x";
  EXPECT_EQ(value("0.1 * x * 0.3"), (0.1 * x) * 0.3);
  EXPECT_EQ(value("1/(x*y)"), 1 / (x * y));
}

/// A formula of random operations, all in parentheses, and what it is by itself.
struct Random {
  std::string text;
  std::function<double(double, double)> value;
};
Random random_formula(std::mt19937& random, int depth) {
  const auto any = [&](unsigned below) { return random() % below; };
  if (depth == 0) {
    if (any(3) == 0) {
      const double number = static_cast<double>(any(64)) / 16;
      return {std::to_string(number), [number](double, double) { return number; }};
    }
    return any(2) == 0 ? Random{"x", [](double x, double) { return x; }}
                       : Random{"y", [](double, double y) { return y; }};
  }
  const Random a = random_formula(random, depth - 1);
  const Random b = random_formula(random, static_cast<int>(any(static_cast<unsigned>(depth))));
  switch (any(7)) {
    case 0:
      return {"(" + a.text + "+" + b.text + ")", [=](double x, double y) { return a.value(x, y) + b.value(x, y); }};
    case 1:
      return {"(" + a.text + "-" + b.text + ")", [=](double x, double y) { return a.value(x, y) - b.value(x, y); }};
    case 2:
      return {"(" + a.text + "*" + b.text + ")", [=](double x, double y) { return a.value(x, y) * b.value(x, y); }};
    case 3:
      return {"(" + a.text + "/" + b.text + ")", [=](double x, double y) { return a.value(x, y) / b.value(x, y); }};
    case 4:
      return {"sin(" + a.text + ")", [=](double x, double y) { return sine(a.value(x, y)); }};
    case 5:
      return {"(-" + a.text + ")", [=](double x, double y) { return -a.value(x, y); }};
    default:
      return {"(" + a.text + " < " + b.text + " ? " + b.text + " : " + a.text + ")",
              [=](double x, double y) { return a.value(x, y) < b.value(x, y) ? b.value(x, y) : a.value(x, y); }};
  }
}

TEST(FormulaRows, ComputeRandomFormulas) {
  std::mt19937 random(7);
  for (int k = 0; k < 300; ++k) {
    const Random one = random_formula(random, 1 + k % 6);
    const Expression formula(one.text, {});
    for (const double x : {-1.5, 0.25, 2.0})
      for (const double y : {-0.5, 0.0, 3.0})
        ASSERT_TRUE(same(formula(x, y), one.value(x, y))) << one.text << " at " << x << ", " << y;
    if (k % 10 == 0) expect_rows(formula);
  }
}

}  // namespace
}  // namespace quoin
