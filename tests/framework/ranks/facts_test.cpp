// What is said of ranks.

#include "ranks/facts.hpp"

#include <gmock/gmock.h>

#include "quoin/testing/thread_ranks.hpp"

namespace quoin {
namespace {

TEST(GatherFacts, TheFirstRankGetsThemByRank) {
  for (const int size : {1, 2, 5}) {
    testing::run_ranks(size, [&](Communicator& ranks) {
      const std::string number = std::to_string(ranks.rank());
      const std::vector<RankFacts> all = gather_facts(ranks, "backend " + number, ranks.rank() == 1 ? "" : "a\nb");
      ASSERT_EQ(all.size(), static_cast<std::size_t>(ranks.rank() == 0 ? size : 0));
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_EQ(all[k].host, ranks.host().name);
        EXPECT_EQ(all[k].backend, "backend " + std::to_string(k));
        EXPECT_EQ(all[k].device, k == 1 ? "" : "a\nb");
      }
    });
  }
}

}  // namespace
}  // namespace quoin
