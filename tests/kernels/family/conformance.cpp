// The checks of the added family's kernels, on the serial backend's packs: a line each, and 1 where one fails.

#include <iostream>

#include "conformance/suite.hpp"
#include "family.hpp"

namespace {

using namespace quoin;

/// Offers no other kernel.
class Added : public HostExecutor {
 public:
  using HostExecutor::HostExecutor;
  [[nodiscard]] bool supports(const KernelSpec& spec) const override {
    return (spec.name == "axpy" || spec.name == "dot_blocks" || spec.name == "mean") && HostExecutor::supports(spec);
  }
};

class Lines : public conformance::Course {
 public:
  void begins(std::size_t, const conformance::Result&) override {}
  void begins_case(const std::string&) override {}
  void ended(const conformance::Result& result) override {
    if (find_kernel(result.name) == nullptr || result.outcome == conformance::Outcome::not_offered) return;
    const bool passed = result.outcome == conformance::Outcome::passed;
    std::cout << result.name << " " << result.precision << (passed ? " passed\n" : " FAILED: " + result.message + "\n");
    all_passed = all_passed && passed;
  }
  bool all_passed = true;
};

}  // namespace

int main() {
  Lines lines;
  conformance::run_suite(std::make_shared<Added>(host_device("packs"), launch_packs), lines);
  return lines.all_passed ? 0 : 1;
}
