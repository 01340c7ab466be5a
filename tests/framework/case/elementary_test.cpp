// Elementary functions of arrays: the same bits by every instruction set and at every place, close to the true values.

#include "case/elementary.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "case/expression.hpp"

namespace quoin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Any bits at all, and values that functions make much of.
std::vector<double> any_doubles(std::size_t count) {
  std::mt19937_64 random(5);
  std::vector<double> values{0.0,       -0.0,         1.0,    -1.0,  0.5,   infinity,
                             -infinity, std::nan(""), 5e-324, 1e308, 710.0, -746.0};
  while (values.size() < count) {
    const std::uint64_t bits = random();
    const double small = std::ldexp(static_cast<double>(bits >> 11), -50);
    values.push_back(bits % 3 == 0 ? std::bit_cast<double>(bits) : bits % 3 == 1 ? small : -small);
  }
  std::ranges::shuffle(values, random);
  return values;
}

std::vector<double> values_of(const ElementaryFunction& function, std::span<const double> x,
                              std::span<const double> y) {
  std::vector<double> values(x.size());
  if (function.of_one != nullptr)
    function.of_one(x.data(), values.data(), x.size());
  else
    function.of_two(x.data(), true, y.data(), true, values.data(), x.size());
  return values;
}

double value_of(const ElementaryFunction& function, double x, double y) {
  return values_of(function, {&x, 1}, {&y, 1})[0];
}

/// NaNs are alike: which of an operation's NaNs is kept is the compiler's choice.
bool same_bits(double one, double other) {
  return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other) || (one != one && other != other);
}

TEST(Elementary, HasTheSameBitsByEveryInstructionSetAndAtEveryPlace) {
  const std::vector<double> x = any_doubles(3001);
  std::vector<double> y = x;
  std::ranges::rotate(y, y.begin() + 1000);
  const ElementaryFunctions* const* sets = elementary_functions();
  std::size_t known = 0;
  while (sets[known] != nullptr) ++known;
  const ElementaryFunctions& scalar = *sets[known - 1];
  EXPECT_STREQ(scalar.instruction_set, "scalar");
#ifdef __x86_64__
  EXPECT_GE(known, 2U);
#endif
  for (std::size_t set = 0; set < known; ++set) {
    for (const ElementaryFunction* one = sets[set]->first; one->name != nullptr; ++one) {
      const ElementaryFunction* const plain = scalar.find(one->name);
      ASSERT_NE(plain, nullptr) << one->name;
      const std::vector<double> expected = values_of(*plain, x, y);
      for (const std::size_t from : {0, 1, 2, 3, 5, 7})
        for (const std::size_t count : {std::size_t{1}, std::size_t{6}, std::size_t{17}, x.size() - from}) {
          const std::vector<double> found =
              values_of(*one, std::span(x).subspan(from, count), std::span(y).subspan(from, count));
          for (std::size_t k = 0; k < count; ++k)
            ASSERT_TRUE(same_bits(found[k], expected[from + k]))
                << sets[set]->instruction_set << ": " << one->name << " of " << x[from + k] << ", " << y[from + k]
                << " at " << from + k;
        }
      if (one->of_two == nullptr) continue;
      for (const bool wide_x : {false, true}) {  // one value for all of the other argument
        std::vector<double> found(11);
        one->of_two(x.data(), wide_x, y.data(), !wide_x, found.data(), found.size());
        for (std::size_t k = 0; k < found.size(); ++k)
          ASSERT_TRUE(same_bits(found[k], value_of(*plain, x[wide_x ? k : 0], y[wide_x ? 0 : k]))) << one->name;
      }
    }
  }
}

TEST(Elementary, IsWithinAnUlp) {
  using Exact = long double (*)(long double);
  struct Range {
    const char* name;
    double from, to;
    Exact exact;
  };
  const std::vector<Range> ranges{
      {"sin", -40, 40, sinl},         {"cos", -40, 40, cosl},     {"tan", -40, 40, tanl},
      {"sin", -1e12, 1e12, sinl},     {"asin", -1, 1, asinl},     {"acos", -1, 1, acosl},
      {"atan", -9, 9, atanl},         {"sinh", -9, 9, sinhl},     {"cosh", -9, 9, coshl},
      {"tanh", -3, 3, tanhl},         {"asinh", -90, 90, asinhl}, {"acosh", 1, 90, acoshl},
      {"atanh", -0.99, 0.99, atanhl}, {"exp", -700, 700, expl},   {"log", 1e-9, 90, logl},
      {"ln", 0.5, 2, logl},           {"log2", 1e-9, 90, log2l},  {"log10", 1e-9, 90, log10l}};
  std::mt19937_64 random(6);
  const auto error = [](double found, long double exact) {
    const double spacing = std::nextafter(std::abs(found), infinity) - std::abs(found);
    return static_cast<double>(std::abs(found - exact) / spacing);
  };
  for (const Range& range : ranges) {
    const ElementaryFunction& function = *(*elementary_functions())->find(range.name);
    std::uniform_real_distribution<double> any(range.from, range.to);
    for (int k = 0; k < 20'000; ++k) {
      const double x = any(random);
      ASSERT_LE(error(value_of(function, x, 0), range.exact(x)), 1.001) << range.name << " of " << x;
    }
  }
  std::uniform_real_distribution<double> any(-20, 20);
  for (int k = 0; k < 20'000; ++k) {
    const double x = any(random), y = any(random);
    ASSERT_LE(error(value_of(*(*elementary_functions())->find("atan2"), y, x), atan2l(y, x)), 1.001) << y << ", " << x;
    ASSERT_LE(error(value_of(*(*elementary_functions())->find("pow"), std::abs(x), y), powl(std::abs(x), y)), 1.001);
  }
}

TEST(Elementary, AreWhatCSaysAtTheEdgesOfTheirDomains) {
  const auto at = [](const char* name, double x, double y = 0) {
    return value_of(*(*elementary_functions())->find(name), x, y);
  };
  for (const char* odd : {"sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh"})
    for (const double zero : {0.0, -0.0}) EXPECT_TRUE(same_bits(at(odd, zero), zero)) << odd << zero;
  for (const auto& [name, x] : std::vector<std::pair<const char*, double>>{{"sin", infinity},
                                                                           {"cos", -infinity},
                                                                           {"asin", 1.5},
                                                                           {"acos", -1.5},
                                                                           {"acosh", 0.5},
                                                                           {"atanh", 2},
                                                                           {"log", -1},
                                                                           {"log10", -1},
                                                                           {"log2", -1},
                                                                           {"exp", std::nan("")}})
    EXPECT_TRUE(std::isnan(at(name, x))) << name << x;
  EXPECT_EQ(at("exp", -infinity), 0.0);
  EXPECT_EQ(at("exp", 0), 1.0);
  EXPECT_EQ(at("exp", 800), infinity);
  EXPECT_EQ(at("log", 0), -infinity);
  EXPECT_EQ(at("log", 1), 0.0);
  EXPECT_EQ(at("log", infinity), infinity);
  EXPECT_EQ(at("tanh", infinity), 1.0);
  EXPECT_EQ(at("cosh", -infinity), infinity);
  EXPECT_EQ(at("pow", 0, 0), 1.0);
  EXPECT_EQ(at("pow", -2, 3), -8.0);
  EXPECT_EQ(at("pow", 0, -1), infinity);
  EXPECT_EQ(at("pow", 2, -infinity), 0.0);
  EXPECT_TRUE(std::isnan(at("pow", -8, 1.0 / 3)));
  EXPECT_EQ(at("atan2", 0.0, -1), std::numbers::pi);
  EXPECT_EQ(at("atan2", -0.0, -1), -std::numbers::pi);
}

TEST(Elementary, AreAllFunctionsOfFormulasThatAreNotExactAnyway) {
  const std::vector<std::string> exact{"abs", "avg", "ceil", "floor", "max", "min", "rint", "sign", "sqrt", "sum"};
  for (const std::string& name : formula_functions())
    EXPECT_NE(std::ranges::find(exact, name) != exact.end(), (*elementary_functions())->find(name.c_str()) != nullptr)
        << name;
}

}  // namespace
}  // namespace quoin
