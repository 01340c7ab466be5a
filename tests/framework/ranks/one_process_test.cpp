#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>

#include "quoin/communicator.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// Its message, where it is of this place.
std::string bug_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bug);
    EXPECT_EQ(error.where(), "rank 0 (" + one_process()->host().name + ")");
    return error.what();
  }
  return "no error";
}

TEST(OneProcess, IsRankZeroOfOne) {
  const auto ranks = one_process();
  EXPECT_EQ(ranks->rank(), 0);
  EXPECT_EQ(ranks->size(), 1);
  EXPECT_FALSE(ranks->host().name.empty());
  EXPECT_EQ(ranks->host().rank, 0);
  EXPECT_EQ(ranks->host().size, 1);
}

TEST(OneProcess, ReceivesFromItselfInOrderOfTheReceives) {
  const auto ranks = one_process();
  std::array<int, 3> got{};
  const auto memory = [&](std::size_t k) { return std::as_writable_bytes(std::span(got).subspan(k, 1)); };
  const auto first = ranks->receive(memory(0), 0, 5);
  const auto second = ranks->receive(memory(1), 0, 5);
  const auto other = ranks->receive(memory(2), 0, 6);
  EXPECT_FALSE(ranks->done(*first));
  for (const auto& [number, tag] : {std::pair{10, 5}, {30, 6}, {20, 5}}) {
    const auto sent = ranks->send(std::as_bytes(std::span(&number, 1)), 0, tag);
    EXPECT_TRUE(ranks->done(*sent));
    ranks->wait(*sent);
  }
  ranks->wait(*second);
  ranks->wait(*other);
  EXPECT_TRUE(ranks->done(*first));
  ranks->wait(*first);
  EXPECT_EQ(got, (std::array{10, 20, 30}));
}

TEST(OneProcess, AMessageMayBeEmpty) {
  const auto ranks = one_process();
  (void)ranks->send({}, 0, 0);
  const auto received = ranks->receive({}, 0, Communicator::last_tag);
  EXPECT_FALSE(ranks->done(*received));
  ranks->wait(*ranks->receive({}, 0, 0));
}

TEST(OneProcess, AReceiveThatGoesWasWaitedFor) {
  const auto ranks = one_process();
  const int sent = 7;
  int got = 0;
  auto received = ranks->receive(std::as_writable_bytes(std::span(&got, 1)), 0, 0);
  (void)ranks->send(std::as_bytes(std::span(&sent, 1)), 0, 0);
  received.reset();
  EXPECT_EQ(got, 7);
}

TEST(OneProcess, CombinesAndBroadcastsToItself) {
  const auto ranks = one_process();
  int value = 7;
  const auto bytes = std::as_writable_bytes(std::span(&value, 1));
  const auto join = [](std::span<const std::byte>, std::span<std::byte>) { FAIL() << "there is nothing to join"; };
  const auto combined = ranks->combine(bytes, join);
  EXPECT_TRUE(ranks->done(*combined));
  ranks->wait(*combined);
  ranks->broadcast(bytes, 0);
  EXPECT_EQ(value, 7);
}

TEST(OneProcess, RefusesWhatCannotBe) {
  const auto ranks = one_process();
  std::array<std::byte, 3> bytes{};
  EXPECT_EQ(bug_of([&] { (void)ranks->send(bytes, 1, 0); }), "there is no rank 1 of 1");
  EXPECT_EQ(bug_of([&] { (void)ranks->receive(bytes, -1, 0); }), "there is no rank -1 of 1");
  EXPECT_EQ(bug_of([&] { ranks->broadcast(bytes, 1); }), "there is no rank 1 of 1");
  EXPECT_EQ(bug_of([&] { (void)ranks->send(bytes, 0, 32767); }), "a message with the tag 32767");
  EXPECT_EQ(bug_of([&] { (void)ranks->receive(bytes, 0, -1); }), "a message with the tag -1");
  EXPECT_EQ(bug_of([&] { ranks->wait(*ranks->receive(bytes, 0, 3)); }),
            "waits for a message of rank 0 with tag 3, itself, that it has not sent");
}

TEST(OneProcess, AMessageOfAnotherLengthIsABug) {
  const auto ranks = one_process();
  std::array<std::byte, 3> bytes{};
  for (int repeat = 0; repeat < 2; ++repeat) (void)ranks->send(std::span(bytes).first(2), 0, 3);
  const std::string expected = "a message of rank 0 with tag 3 has 2 bytes, but 3 were asked for";
  const auto received = ranks->receive(bytes, 0, 3);
  EXPECT_EQ(bug_of([&] { ranks->wait(*received); }), expected);
  EXPECT_EQ(bug_of([&] { (void)ranks->done(*ranks->receive(bytes, 0, 3)); }), expected);
}

TEST(OneProcess, AbortEndsIt) { EXPECT_EXIT(one_process()->abort(7), ::testing::ExitedWithCode(7), ""); }

}  // namespace
}  // namespace quoin
