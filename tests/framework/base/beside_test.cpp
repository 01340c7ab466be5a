#include "base/beside.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

namespace quoin {
namespace {

TEST(Beside, IsDoneOnAnotherThreadWhileTheCallerGoesOn) {
  std::atomic<bool> gone_on = false;
  std::thread::id other;
  Beside beside;
  beside.start([&] {
    other = std::this_thread::get_id();
    gone_on.wait(false);
  });
  gone_on = true;
  gone_on.notify_all();
  beside.finish();
  EXPECT_NE(other, std::thread::id());
  EXPECT_NE(other, std::this_thread::get_id());
  beside.finish();  // nothing is left
}

TEST(Beside, DoesOneThingAfterTheOther) {
  std::string done;
  {
    Beside beside;
    for (const char letter : std::string("abc")) beside.start([&done, letter] { done += letter; });
  }
  EXPECT_EQ(done, "abc");
}

TEST(Beside, TellsOfAFailureOnce) {
  Beside beside;
  const auto fail = [] { throw std::runtime_error("no room"); };
  beside.start(fail);
  EXPECT_THROW(beside.finish(), std::runtime_error);
  beside.finish();
  beside.start(fail);
  bool started = false;
  EXPECT_THROW(beside.start([&] { started = true; }), std::runtime_error);
  beside.finish();
  EXPECT_FALSE(started);
}

}  // namespace
}  // namespace quoin
