// A kernel of a backend whose device is the host.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "quoin/host_memory.hpp"

namespace quoin {
namespace {

struct SeenLaunch {
  bool empty, stopped;
};

TEST(HostKernel, IsRunForNoPointsWhenItIsMadeAsOneThatWasStopped) {
  std::vector<SeenLaunch> seen;
  HostExecutor executor(host_device("host"),
                        [&](const Variant&, const kernels::Range& range, const kernels::Resolved* arguments) {
                          const bool stopped = *static_cast<const std::int64_t*>(arguments[0].data) != 0;
                          seen.push_back({range.i0 == range.i1 && range.j0 == range.j1, stopped});
                        });
  const auto kernel = executor.kernel({"stream_copy", Precision::float64, {}});
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_TRUE(seen.front().empty);
  EXPECT_TRUE(seen.front().stopped);
  const auto queue = executor.queue();
  EXPECT_EQ(queue->launches(), 0U);

  const auto memory = executor.allocate(64, MemoryKind::device);
  const std::array arguments{Argument::buffer(*memory), Argument::buffer(*memory)};
  kernel->launch(*queue, Box::line(0), arguments);
  EXPECT_EQ(seen.size(), 1U);
  kernel->launch(*queue, Box::line(1), arguments);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_FALSE(seen.back().empty);
}

}  // namespace
}  // namespace quoin
