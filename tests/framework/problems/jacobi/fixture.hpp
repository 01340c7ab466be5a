#pragma once

// The Jacobi problem on a device of mocks.

#include <array>
#include <cmath>
#include <limits>

#include "problems/jacobi/problem.hpp"
#include "quoin/error.hpp"
#include "quoin/testing/mocks.hpp"

namespace quoin::test {

using quoin::testing::elements;
using quoin::testing::Launch;
using quoin::testing::MockExecutor;
using ::testing::HasSubstr;
using ::testing::NiceMock;

/// A device that notes every launch; its norms are what `norm` says, and they obey the stop rule.
class JacobiProblemTest : public ::testing::Test {
 protected:
  JacobiProblemTest() {
    executor->fake.launch_cost = {10.0, 5.0};
    executor->fake.define("residual_norm",
                          [this](const Launch& launch) { finish_iterations(launch.box.extent(1), launch.arguments); });
    ON_CALL(*executor, supports).WillByDefault([](const KernelSpec& spec) { return spec.constant("depth", 1) == 1; });
  }

  void finish_iterations(std::int64_t count, const std::vector<Argument>& a) const {
    auto* control = elements<std::int64_t>(a[8]);
    if (control[0] != 0) return;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t iteration = a[3].integer_value + k;
      const double value = norm(iteration);
      elements<double>(a[1])[a[2].integer_value + k] = value;
      const bool small = value <= a[7].real_value && iteration % a[4].integer_value == 0;
      if (control[0] == 0 && (small || !std::isfinite(value))) control[0] = iteration;
    }
  }

  static Case parse(const std::string& problem, const std::string& method) {
    return Case::parse("problem: {type: jacobi, " + problem + "}\nmethod: {" + method + "}\nbackend: serial\n",
                       "case.yaml", {}, KeyTable::standard());
  }

  /// A run with that method is refused, because the device lacks what is named.
  void expect_lack(const std::string& method, const std::string& named) const {
    JacobiProblem problem(parse("grid: {nodes: [3, 3]}", method));
    try {
      problem.set_up(executor);
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device);
      EXPECT_THAT(error.what(), HasSubstr(named));
    }
  }

  /// Runs to the end; returns the last progress with the whole history.
  static Progress finish(Problem& problem) {
    std::vector<Row> history;
    Progress progress;
    do {
      progress = problem.advance();
      history.insert(history.end(), progress.history.begin(), progress.history.end());
    } while (progress.status == Status::running);
    progress.history = history;
    return progress;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Launch& launch : launches) all.push_back(launch.kernel.name);
    return all;
  }

  std::shared_ptr<NiceMock<MockExecutor>> executor = std::make_shared<NiceMock<MockExecutor>>();
  std::function<double(std::int64_t)> norm = [](std::int64_t k) { return 1.0 / static_cast<double>(k); };
  std::vector<Launch>& launches = executor->fake.launches;
};

/// The launches of passes among all, in order.
inline std::vector<const Launch*> passes(const std::vector<Launch>& launches) {
  std::vector<const Launch*> found;
  for (const Launch& launch : launches)
    if (launch.kernel.name == "jacobi_sweeps") found.push_back(&launch);
  return found;
}

}  // namespace quoin::test
