// Where the ticks of a chart are, and what they are called.

#include "report/axes.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <regex>
#include <set>

#include "report/theme.hpp"

namespace quoin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Tick {
  std::string label;
  double at;
};

/// The ticks with labels that the commands set.
std::vector<Tick> ticks_of(const std::string& commands) {
  std::vector<Tick> ticks;
  const std::regex one("'([^']+)' ([-+.e0-9]+)");
  for (std::sregex_iterator at(commands.begin(), commands.end(), one), end; at != end; ++at)
    ticks.push_back({(*at)[1], std::stod((*at)[2])});
  return ticks;
}

std::vector<std::string> labels_of(const std::string& commands) {
  std::vector<std::string> labels;
  for (const Tick& tick : ticks_of(commands)) labels.push_back(tick.label);
  return labels;
}

TEST(ReportAxes, NumbersOfAnAxisHaveOneForm) {
  EXPECT_THAT(labels_of(linear_ticks("x", 0, 1, 270).commands), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels_of(linear_ticks("x", 0, 60000, 270).commands), ElementsAre("0", "20000", "40000", "60000"));
  EXPECT_THAT(labels_of(linear_ticks("y", -2e-7, 1e-7, 190).commands), ElementsAre("-2e-7", "-1e-7", "0", "1e-7"));
}

/// Labels differ from each other, say where they stand, and have room beside each other, whatever the range is.
TEST(ReportAxes, LongNumbersDoNotCollide) {
  const std::vector<std::pair<double, double>> ranges{
      {1e6, 1e6 + 0.5}, {123456789, 123456799}, {0, 2e7},       {-1e-12, 3e-12},       {0, 1e300}, {1e9, 1e9 + 1e-3},
      {-1234567, 0.25}, {0.99999, 1.00001},     {1e-30, 2e-30}, {999999.9, 1000000.2}, {0, 7},     {-3e38, 3e38}};
  for (const auto& [low, high] : ranges) {
    const std::vector<Tick> ticks = ticks_of(linear_ticks("x", low, high, 270).commands);
    ASSERT_FALSE(ticks.empty()) << low << " to " << high;
    std::set<std::string> labels;
    for (std::size_t k = 0; k < ticks.size(); ++k) {
      const Tick& tick = ticks[k];
      labels.insert(tick.label);
      EXPECT_NEAR(std::strtod(tick.label.c_str(), nullptr), tick.at, 1e-3 * (high - low)) << tick.label;
      if (k == 0) continue;
      const double apart = (tick.at - ticks[k - 1].at) / (high - low) * 270;
      EXPECT_GT(apart, 7.5 * static_cast<double>(tick.label.size())) << tick.label << " in " << low << " to " << high;
    }
    EXPECT_EQ(labels.size(), ticks.size()) << low << " to " << high;
  }
}

TEST(ReportAxes, LogarithmicOnesHaveAFewLabelsHoweverManyDecades) {
  EXPECT_THAT(labels_of(log_axis("y", 1e-10, 1, 190, false)),
              ElementsAre("10^{-10}", "10^{-8}", "10^{-6}", "10^{-4}", "10^{-2}", "10^{0}"));
  EXPECT_THAT(labels_of(log_axis("x", 0.05, 0.6, 270, false)), ElementsAre("0.05", "0.1", "0.2", "0.5"));
  EXPECT_THAT(labels_of(log_axis("x", 2e-7, 4e-7, 270, false)), ElementsAre("2e-7", "3e-7", "4e-7"));
  EXPECT_THAT(labels_of(log_axis("y", 1.00, 1.04, 190, false)).size(), testing::Ge(2U));
  for (double decades = 0.01; decades < 600; decades *= 1.7) {
    for (const char* axis : {"x", "y"}) {
      const std::vector<Tick> ticks =
          ticks_of(log_axis(axis, std::pow(10.0, -decades / 2), std::pow(10.0, decades / 2), 200));
      EXPECT_GE(ticks.size(), 1U) << decades;
      EXPECT_LE(ticks.size(), 9U) << decades;
    }
  }
}

TEST(ReportTheme, ColoursOfAttributesFollowTheModeOfThePage) {
  const std::string svg =
      "<svg width=\"1\">\n<path stroke='rgb(  0, 114, 178)'/><g fill=\"rgb(55,65,81)\" color=\"black\">"
      "<text>rgb(55,65,81) \"black\"</text></g><rect fill='rgb( 68,   1,  84)'/></svg>\n";
  const std::string themed_svg = themed(svg);
  EXPECT_THAT(themed_svg, HasSubstr("<svg width=\"1\"><style>:root{--c0:#374151;"));
  EXPECT_THAT(themed_svg, HasSubstr("@media(prefers-color-scheme:dark){:root{--c0:#d1d5db;"));
  EXPECT_THAT(themed_svg, HasSubstr("<path stroke='var(--c3)'/><g fill=\"var(--c0)\" color=\"var(--c0)\">"));
  EXPECT_THAT(themed_svg, HasSubstr("<text>rgb(55,65,81) \"black\"</text>"));
  EXPECT_THAT(themed_svg, HasSubstr("fill='rgb( 68,   1,  84)'"));  // of a palette
}

}  // namespace
}  // namespace quoin
