#include "conformance/oracle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quoin::conformance {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr KernelCheck sum{"sum", nullptr, nullptr}, copy{"stream_copy", nullptr, nullptr},
    none{"sun", nullptr, nullptr};

TEST(Oracles, AreRegisteredByObjects) {
  const RegisterOracles of_a_family{sum};
  const RegisterOracles of_another{copy};
  EXPECT_EQ(by_kernel(RegisterOracles::all()).size(), 2U);
  EXPECT_EQ(by_kernel(RegisterOracles::all()).at("sum").kernel, "sum");
}

TEST(Oracles, OfOneKernelAreABug) {
  EXPECT_THAT([] { by_kernel({sum, copy, sum}); }, ThrowsMessage<Error>(HasSubstr("kernel sum has two oracles")));
}

TEST(Oracles, OfNoKernelAreABug) {
  EXPECT_THAT([] { by_kernel({copy, none}); }, ThrowsMessage<Error>(HasSubstr("'sun'")));
}

}  // namespace
}  // namespace quoin::conformance
