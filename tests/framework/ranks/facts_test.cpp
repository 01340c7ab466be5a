// What is said of ranks.

#include "ranks/facts.hpp"

#include <gmock/gmock.h>

#include "quoin/error.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(GatherFacts, TheFirstRankGetsThemByRank) {
  for (const int size : {1, 2, 5}) {
    testing::run_ranks(size, [&](Communicator& ranks) {
      const std::string number = std::to_string(ranks.rank());
      const RankFacts own{.backend = "backend " + number,
                          .device = ranks.rank() == 1 ? "" : "a\nb",
                          .share = {"place", 0.1 * ranks.rank(), 1e11}};
      const std::vector<RankFacts> all = gather_facts(ranks, own);
      ASSERT_EQ(all.size(), static_cast<std::size_t>(ranks.rank() == 0 ? size : 0));
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_EQ(all[k].host, ranks.host().name);
        EXPECT_EQ(all[k].backend, "backend " + std::to_string(k));
        EXPECT_EQ(all[k].device, k == 1 ? "" : "a\nb");
        EXPECT_EQ(all[k].share.place, "place");
        EXPECT_EQ(all[k].share.bytes, 0.1 * static_cast<double>(k));
        EXPECT_EQ(all[k].share.memory, 1e11);
      }
    });
  }
}

constexpr double gibibyte = 1024.0 * 1024 * 1024;

RankFacts on(const std::string& host, const std::string& place, double gibibytes, double memory = 80.0) {
  return {.host = host, .device = "a GPU", .share = {place, gibibytes * gibibyte, memory * gibibyte}};
}

TEST(RoomOnDevices, IsThatOfAllWhoShareOne) {
  EXPECT_THAT(
      [] {
        require_room_on_devices({on("a", "0", 30), on("a", "1", 60), on("a", "0", 40), on("a", "0", 20)});
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("the ranks 0, 2, 3 of a share this device"),
                                 HasSubstr("need 90.0 GiB of its memory and it has 80.0 GiB"))));
  EXPECT_NO_THROW(require_room_on_devices({on("a", "0", 40), on("a", "1", 60), on("a", "0", 40)}));
}

TEST(RoomOnDevices, IsNotCountedForOthers) {
  EXPECT_NO_THROW(require_room_on_devices({on("a", "0", 60), on("b", "0", 60)}));
  EXPECT_NO_THROW(require_room_on_devices({on("a", "", 60), on("a", "", 60)}));
  EXPECT_NO_THROW(require_room_on_devices({on("a", "0", 60, 0), on("a", "0", 60, 0)}));
  EXPECT_NO_THROW(require_room_on_devices({}));
}

}  // namespace
}  // namespace quoin
