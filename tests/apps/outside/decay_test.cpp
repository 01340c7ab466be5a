// The problem on a device of which the test knows every call, and on one that works in the test's own memory.

#include "decay.hpp"

#include <quoin/error.hpp>
#include <quoin/host_memory.hpp>
#include <quoin/reference.hpp>
#include <quoin/testing/fake_checkpoint.hpp>
#include <quoin/testing/mocks.hpp>

namespace {

using quoin::Argument;
using quoin::Box;
using quoin::Queue;
using quoin::Status;
using quoin::testing::elements;
using quoin::testing::FakeCheckpoint;
using quoin::testing::FakeExecutor;
using quoin::testing::Launch;
using quoin::testing::MockExecutor;
using quoin::testing::MockFieldSink;
using quoin::testing::MockKernel;
using testing::_;
using testing::ByMove;
using testing::ElementsAre;
using testing::Field;
using testing::NiceMock;
using testing::Return;
using testing::Throw;

quoin::Case decay_case() {
  return quoin::Case::parse(
      "problem: {type: decay, points: 3, rate: 2}\nmethod: {steps: 2, step: 0.125}\nbackend: serial\n", "case.yaml", {},
      quoin::KeyTable::standard());
}

/// What the problem writes.
std::vector<double> field_of(const Decay& problem) {
  std::vector<double> u;
  MockFieldSink sink;
  EXPECT_CALL(sink, grid(_)).WillOnce([&u](const quoin::GridField& field) {
    const auto* values = reinterpret_cast<const double*>(field.values.data());
    u.assign(values, values + field.nx);
  });
  problem.write(sink);
  return u;
}

TEST(Decay, LaunchesOneKernelAStep) {
  const auto executor = std::make_shared<NiceMock<MockExecutor>>();
  auto kernel = std::make_unique<MockKernel>();
  EXPECT_CALL(*kernel, launch(_, Field(&Box::upper, ElementsAre(3, 1, 1)), _))
      .Times(2)
      .WillRepeatedly([](Queue&, const Box&, std::span<const Argument> arguments) {
        ASSERT_EQ(arguments.size(), 4U);
        EXPECT_NE(arguments[0].memory, arguments[2].memory);
        EXPECT_EQ(arguments[3].real_value, -0.25);
      });
  EXPECT_CALL(*executor, kernel(Field(&quoin::KernelSpec::name, "stream_triad")))
      .WillOnce(Return(ByMove(std::move(kernel))));
  Decay problem(decay_case());
  problem.set_up(executor);
  EXPECT_EQ(problem.advance().status, Status::running);
  EXPECT_EQ(problem.advance().status, Status::completed);
}

TEST(Decay, ADeviceWithoutMemoryEndsTheSetUp) {
  const auto executor = std::make_shared<NiceMock<MockExecutor>>();
  EXPECT_CALL(*executor, allocate).WillOnce(Throw(quoin::Error(quoin::ErrorKind::device, "out of memory")));
  EXPECT_THROW(Decay(decay_case()).set_up(executor), quoin::Error);
}

TEST(Decay, GoesOnFromACheckpoint) {
  const auto executor = std::make_shared<FakeExecutor>();
  executor->define("stream_triad", [](const Launch& launch) {
    for (std::int64_t i = launch.box.lower[0]; i < launch.box.upper[0]; ++i)
      elements<double>(launch.arguments[2])[i] =
          elements<double>(launch.arguments[0])[i] +
          launch.arguments[3].real_value * elements<double>(launch.arguments[1])[i];
  });
  Decay first(decay_case());
  first.set_up(executor);
  first.advance();
  EXPECT_THAT(field_of(first), ElementsAre(0.75, 0.75, 0.75));
  FakeCheckpoint checkpoint;
  first.save(checkpoint);

  Decay second(decay_case());
  second.set_up(executor);
  second.restore(checkpoint);
  EXPECT_EQ(second.advance().status, Status::completed);
  EXPECT_THAT(field_of(second), ElementsAre(0.5625, 0.5625, 0.5625));
  EXPECT_EQ(executor->launches.size(), 2U);
}

TEST(Decay, QuoinsOwnKernelsGiveTheSame) {
  Decay problem(decay_case());
  problem.set_up(std::make_shared<quoin::HostExecutor>(quoin::host_device("host"), quoin::run_reference));
  while (problem.advance().status == Status::running) {
  }
  EXPECT_THAT(field_of(problem), ElementsAre(0.5625, 0.5625, 0.5625));
}

}  // namespace
