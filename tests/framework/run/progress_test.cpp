#include "run/progress.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/limits.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Progress at(std::int64_t iterations, double residual, double tolerance, std::int64_t limit = 1000000) {
  Progress p;
  p.iterations = iterations;
  p.limit = limit;
  p.residual = residual;
  p.tolerance = tolerance;
  return p;
}

TEST(TimeLeft, FollowsTheSlopeOfTheLogarithmToTheTolerance) {
  TimeLeft left;
  // A decade a second, from 1e-2 to 1e-3; three decades remain.
  left.add(at(0, 1e-2, 1e-6), 0.0);
  left.add(at(100, 1e-3, 1e-6), 1.0);
  ASSERT_TRUE(left.seconds());
  EXPECT_NEAR(*left.seconds(), 3.0, 1e-9);
  EXPECT_DOUBLE_EQ(left.rate(), 100.0);
}

TEST(TimeLeft, FollowsTheRateToTheLimitWithoutATolerance) {
  TimeLeft left;
  left.add(at(0, 1e-2, 0.0, 1000), 0.0);
  left.add(at(100, 1e-3, 0.0, 1000), 1.0);
  EXPECT_NEAR(left.seconds().value(), 9.0, 1e-9);
}

TEST(TimeLeft, FollowsTheRateWhereTheResidualGrows) {
  TimeLeft left;
  left.add(at(0, 1e-3, 1e-6, 1000), 0.0);
  left.add(at(100, 1e-2, 1e-6, 1000), 1.0);
  EXPECT_NEAR(left.seconds().value(), 9.0, 1e-9);
}

TEST(TimeLeft, IsNotKnownFromOneSample) {
  TimeLeft left;
  left.add(at(10, 1e-2, 1e-6), 0.0);
  EXPECT_FALSE(left.seconds());
}

TEST(ProgressStyle, AutomaticIsABarOnATerminalThatCanRewriteLines) {
  setenv("TERM", "xterm", 1);
  EXPECT_EQ(progress_style("auto", false, true), ProgressStyle::bar);
  EXPECT_EQ(progress_style("auto", false, false), ProgressStyle::lines);
  EXPECT_EQ(progress_style("bar", false, false), ProgressStyle::bar);
  EXPECT_EQ(progress_style("lines", false, true), ProgressStyle::lines);
  EXPECT_EQ(progress_style("none", false, true), ProgressStyle::none);
  EXPECT_EQ(progress_style("bar", true, true), ProgressStyle::none);
  for (const char* poor : {"dumb", ""}) {
    setenv("TERM", poor, 1);
    EXPECT_EQ(progress_style("auto", false, true), ProgressStyle::lines) << poor;
    EXPECT_EQ(progress_style("bar", false, true), ProgressStyle::bar) << poor;
  }
  unsetenv("TERM");
  EXPECT_EQ(progress_style("auto", false, true), ProgressStyle::lines);
}

TEST(TerminalWidth, IsThatOfTheEnvironmentWhereThereIsNoTerminal) {
  if (isatty(STDERR_FILENO) == 1) GTEST_SKIP() << "standard error is a terminal, which knows its width";
  setenv("COLUMNS", "47", 1);
  EXPECT_EQ(terminal_width(), 47U);
  for (const char* wrong : {"", "0", "wide", "12x"}) {
    setenv("COLUMNS", wrong, 1);
    EXPECT_EQ(terminal_width(), 80U) << wrong;
  }
  unsetenv("COLUMNS");
  EXPECT_EQ(terminal_width(), 80U);
}

std::vector<std::string> shown(ProgressStyle style) {
  std::vector<std::string> written;
  ProgressDisplay display(
      style, [&written](const std::string& text) { written.push_back(text); }, [] { return 100; });
  for (int k = 0; k <= 12; ++k) display.update(at(k + 1, std::pow(0.5, k), 1e-6), k);
  display.finish();
  return written;
}

TEST(ProgressDisplay, LinesComeEveryFewSecondsAndAtTheEnd) {
  const auto lines = shown(ProgressStyle::lines);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], StartsWith("iteration 6 of 1000000, residual 3.125000e-02, 1 iterations/s"));
  EXPECT_THAT(lines[1], StartsWith("iteration 11 of"));
  EXPECT_THAT(lines[2], StartsWith("iteration 13 of"));
  for (const std::string& line : lines) EXPECT_EQ(line.back(), '\n');
}

TEST(ProgressDisplay, TheBarRewritesItsLine) {
  const auto writes = shown(ProgressStyle::bar);
  ASSERT_GT(writes.size(), 2U);
  EXPECT_EQ(writes.back(), "\n");
  for (std::size_t k = 0; k + 1 < writes.size(); ++k) {
    EXPECT_THAT(writes[k], StartsWith("\r["));
    EXPECT_EQ(writes[k].find('\n'), std::string::npos);
  }
  EXPECT_THAT(writes[writes.size() - 2], HasSubstr(" left"));
}

TEST(ProgressDisplay, AnErrorLeavesNoBarStanding) {
  std::vector<std::string> writes;
  {
    ProgressDisplay display(ProgressStyle::bar, [&writes](const std::string& text) { writes.push_back(text); });
    Progress progress;
    progress.limit = 10;
    for (const double now : {0.0, 1.0}) {
      ++progress.iterations;
      display.update(progress, now);
    }
    EXPECT_EQ(writes.size(), 1U);
  }
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(writes.back(), "\n");
}

TEST(ProgressDisplay, AProblemInTimeTellsItsStepsAndItsTime) {
  for (const auto& [style, expected] :
       {std::pair{ProgressStyle::lines, "step 120 of 600, t = 0.2 of 1, 10 steps/s, 0:48 left\n"},
        std::pair{ProgressStyle::bar,
                  "\r[####                ]  120/600  t = 0.2 of 1  10 steps/s  0:48 left\x1b[K"}}) {
    std::vector<std::string> written;
    ProgressDisplay display(
        style, [&written](const std::string& text) { written.push_back(text); }, [] { return 100; });
    Progress p;
    p.limit = 600;
    p.final_time = 1.0;
    for (const std::int64_t steps : {60, 120}) {
      p.iterations = steps;
      p.time = static_cast<double>(steps) / 600.0;
      display.update(p, static_cast<double>(steps) / 10.0);
    }
    ASSERT_EQ(written.size(), 1U);
    EXPECT_EQ(written[0], expected);
  }
}

TEST(ProgressDisplay, LinesGrowRarer) {
  std::vector<double> times;
  double now = 0.0;
  ProgressDisplay display(ProgressStyle::lines, [&](const std::string&) { times.push_back(now); });
  for (; now <= 7200.0; now += 1.0) display.update(at(static_cast<std::int64_t>(now) + 1, 1e-2, 1e-6), now);
  const auto between = [&times](double from, double to) {
    return std::ranges::count_if(times, [=](double time) { return time > from && time <= to; });
  };
  EXPECT_EQ(between(0, 59), 11);
  EXPECT_EQ(between(60, 599), 18);
  EXPECT_EQ(between(600, 3600), 10);
  EXPECT_EQ(between(3600, 7200), 12);
}

TEST(ProgressDisplay, TheBarIsNeverWiderThanTheTerminal) {
  for (const std::size_t width : {1U, 2U, 10U, 24U, 40U, 60U, 80U, 200U}) {
    std::vector<std::string> written;
    ProgressDisplay display(
        ProgressStyle::bar, [&written](const std::string& text) { written.push_back(text); }, [=] { return width; });
    Progress p = at(0, 1e-2, 1e-6);
    p.final_time = 2.0;
    for (const std::int64_t steps : {1, 123456}) {
      p.iterations = steps;
      p.time = static_cast<double>(steps) / 3e5;
      p.residual = *p.residual / 10.0;
      display.update(p, static_cast<double>(steps));
    }
    ASSERT_EQ(written.size(), 1U);
    const std::string line = written[0].substr(1, written[0].size() - 4);  // without \r and the sequence that erases
    EXPECT_LT(line.size(), width);
    // What matters most stays longest.
    EXPECT_EQ(line.find("123456/1000000") != std::string::npos, width > 20) << width;
    EXPECT_EQ(line.find(" left") != std::string::npos, width >= 40) << width << line;
    EXPECT_EQ(line.find('[') != std::string::npos, width > 80) << width;
  }
}

TEST(ProgressDisplay, NoneSaysNothing) { EXPECT_TRUE(shown(ProgressStyle::none).empty()); }

// row 5
TEST(Limits, TheHostsMemoryIsACaseError) {
  require_host_memory(1e3, "case.yaml");
  try {
    require_host_memory(1e19, "case.yaml");
    FAIL() << "ten exabytes were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::case_file);
    EXPECT_THAT(error.what(), HasSubstr("needs 9313225746.2 GiB of host memory"));
    EXPECT_EQ(error.where(), "case.yaml");
  }
}

// row 5
TEST(Limits, TheDevicesMemoryIsADeviceErrorWithTheBytesNeededAndHad) {
  DeviceInfo device;
  device.name = "small";
  require_device_memory(1e18, device);  // a device that does not tell is believed
  device.memory_bytes = 1000;
  require_device_memory(1000, device);
  try {
    require_device_memory(1001, device);
    FAIL() << "more than the device has was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.what(), HasSubstr("1001 bytes"));
    EXPECT_THAT(error.what(), HasSubstr("has 1000"));
    EXPECT_EQ(error.where(), "small");
  }
}

// row 16
TEST(Limits, TheDiskIsAnIoErrorBeforeTheFolderIsThere) {
  require_disk(1.0, "not/there/yet");
  EXPECT_THROW(require_disk(1e19, "not/there/yet"), Error);
}

}  // namespace
}  // namespace quoin
