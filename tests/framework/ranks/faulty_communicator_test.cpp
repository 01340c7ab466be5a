#include "quoin/testing/faulty_communicator.hpp"

#include <gtest/gtest.h>

#include <string>

#include "framework/ranks/testing.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin {
namespace {

using test::end_of;
using test::memory_of;
using testing::FaultyCommunicator;
using Fault = FaultyCommunicator::Fault;

/// Six calls, each kind once.
void use(Communicator& ranks) {
  int value = ranks.rank();
  const int other = 1 - ranks.rank();
  int got = -1;
  const auto received = ranks.receive(memory_of(got), other, 0);
  const auto sent = ranks.send(memory_of(value), other, 0);
  while (!ranks.done(*received)) {
  }
  EXPECT_EQ(got, other);
  int root = ranks.rank();
  ranks.broadcast(memory_of(root), 1);
  EXPECT_EQ(root, 1);
  int last = ranks.rank();
  const auto combined = ranks.combine(memory_of(last), [](std::span<const std::byte>, std::span<std::byte>) {});
  ranks.wait(*combined);
  EXPECT_EQ(last, 1);
}

/// How a run ends whose rank 0 is faulty.
std::string end_with(int call, Fault fault) {
  return end_of([&] {
    testing::run_ranks(2, [&](Communicator& ranks) {
      if (ranks.rank() == 1) return use(ranks);
      FaultyCommunicator faulty(ranks, call, fault);
      use(faulty);
      EXPECT_GE(faulty.calls(), 6);
    });
  });
}

TEST(FaultyCommunicator, ForwardsBeforeTheCall) {
  for (const Fault fault : {Fault::throws, Fault::short_message}) EXPECT_EQ(end_with(1 << 30, fault), "done");
}

TEST(FaultyCommunicator, AnyCallThrows) {
  for (int call = 0; call < 6; ++call)
    EXPECT_EQ(end_with(call, Fault::throws),
              "6: rank 0: call " + std::to_string(call) + " of the communicator fails, as asked for");
}

TEST(FaultyCommunicator, AnyMessageIsShort) {
  EXPECT_EQ(end_with(0, Fault::short_message),
            "bug: rank 0: a message of rank 1 with tag 0 has 4 bytes, but 5 were asked for");
  EXPECT_EQ(end_with(1, Fault::short_message),
            "bug: rank 1: a message of rank 0 with tag 0 has 3 bytes, but 4 were asked for");
  EXPECT_EQ(end_with(2, Fault::short_message), "bug: rank 0: broadcast() of rank 1 has 4 bytes, but 3 were asked for");
}

TEST(FaultyCommunicator, OneMessageAloneIsShort) {
  const auto process = one_process();
  FaultyCommunicator ranks(*process, 0, Fault::short_message);
  EXPECT_THROW(
      {
        test::send(ranks, 7, 0, 0);
        (void)test::receive<int>(ranks, 0, 0);
      },
      Error);
  test::send(ranks, 8, 0, 0);
  EXPECT_EQ(test::receive<int>(ranks, 0, 0), 8);
}

}  // namespace
}  // namespace quoin
