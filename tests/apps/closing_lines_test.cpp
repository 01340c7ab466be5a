// What a run prints at its end.

#include <gmock/gmock.h>

#include <string>

#include "commands.hpp"

namespace quoin {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Outcome outcome(const std::string& wall_seconds, const std::string& errors = "") {
  return {.status = Status::converged,
          .exit_code = 0,
          .directory = "result",
          .table = "kernel calls\nsweeps 7\n",
          .summary = "{\"wall_seconds\": " + wall_seconds + errors + "}"};
}

TEST(ClosingLines, TheKernelsOfLongRunsOrOnRequest) {
  EXPECT_EQ(closing_lines(outcome("9.9"), false), "");
  EXPECT_EQ(closing_lines(outcome("10.1"), false), "kernel calls\nsweeps 7\n");
  EXPECT_EQ(closing_lines(outcome("0.1"), true), "kernel calls\nsweeps 7\n");
}

TEST(ClosingLines, ErrorsComeFirst) {
  const std::string errors = R"(, "errors": {"l1": 1.25e-7, "l2": 2e-5, "linf": null})";
  EXPECT_THAT(closing_lines(outcome("60", errors), false),
              StartsWith("errors against the exact solution: L1 1.2500e-07, L2 2.0000e-05, Linf nan\nkernel calls"));
  EXPECT_THAT(closing_lines(outcome("1", errors), false), Not(HasSubstr("kernel")));
}

}  // namespace
}  // namespace quoin
