// Digests that a device makes of its stretch of lists: those that the host makes of the leaves.

#include "device/tree_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "numerics/device.hpp"
#include "quoin/precision.hpp"

namespace quoin::test {
namespace {

template <class T>
void expect_digests_of_the_host(std::int64_t first, std::int64_t count, std::int64_t lists) {
  SCOPED_TRACE(::testing::Message() << "leaves " << first << " to " << first + count << " of " << lists << " lists");
  const auto leaf = [](std::int64_t k) { return static_cast<T>(std::sin(static_cast<double>(k) * 1.7)); };
  std::vector<T> leaves(static_cast<std::size_t>(3 + count * lists));
  for (std::size_t k = 0; k < leaves.size(); ++k) leaves[k] = leaf(static_cast<std::int64_t>(k));
  const auto queue = executor()->queue();
  Buffer<T> buffer(executor(), leaves.size());
  buffer.upload(*queue, leaves);
  TreeGroups groups(executor(), sizeof(T) == 8 ? Precision::float64 : Precision::float32, first, count, lists);
  const std::vector<TreeDigest<T>> digests = groups.digests<T>(*queue, buffer.memory(), lists, 3 * sizeof(T));
  ASSERT_EQ(static_cast<std::int64_t>(digests.size()), lists);
  for (std::size_t list = 0; list < digests.size(); ++list) {
    TreeDigest<T> whole;
    for (std::int64_t k = 0; k < first; ++k) whole.add(leaf(-k));
    TreeDigest<T> expected = whole;
    for (std::int64_t k = 0; k < count; ++k)
      expected.add(leaves[3 + list * static_cast<std::size_t>(count) + static_cast<std::size_t>(k)]);
    EXPECT_EQ(digests[list].first(), first);
    EXPECT_EQ(digests[list].last(), first + count);
    whole.append(digests[list]);
    EXPECT_EQ(whole.sum(), expected.sum());
  }
}

TEST(TreeGroups, AreTheDigestsOfTheHost) {
  for (const auto& [first, count] : {std::pair<std::int64_t, std::int64_t>(0, 1 << 15),
                                     {0, 40001},
                                     {1, 32768},
                                     {333, 50000},
                                     {32768, 65536},
                                     {0, 0},
                                     {7, 12},
                                     {65535, 2},
                                     {96, 96000}}) {
    expect_digests_of_the_host<double>(first, count, 1);
    expect_digests_of_the_host<double>(first, count, 5);
    expect_digests_of_the_host<float>(first, count, 3);
  }
}

}  // namespace
}  // namespace quoin::test
