// What the check backend notices: each mistake of a caller or of a kernel is made here once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "executor.hpp"
#include "quoin/error.hpp"
#include "quoin/host_memory.hpp"
#include "skeleton.hpp"

namespace quoin::check {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Runs the real kernels, or does what a test puts in its place.
struct Device {
  explicit Device(bool deferred = true)
      : executor(
            {},
            [this](const Variant& variant, const kernels::Range& box, const kernels::Resolved* a) {
              if (!idle) kernels::Launcher<double, OrderedSkeleton>::launch({Order::shuffled, 1}, variant, box, a);
              if (also) also(a);
            },
            deferred),
        queue(executor.queue()) {}

  std::unique_ptr<Memory> memory(std::size_t doubles) { return executor.allocate(doubles * 8, MemoryKind::device); }
  std::unique_ptr<Memory> filled(const std::vector<double>& values) {
    auto made = memory(values.size());
    queue->copy_in(*made, 0, std::as_bytes(std::span(values)));
    return made;
  }
  std::vector<double> values(const Memory& source, Queue& from) const {
    std::vector<double> list(source.bytes() / 8);
    from.copy_out(std::as_writable_bytes(std::span(list)), source, 0);
    return list;
  }
  void copy(Queue& to, Memory& x, Memory& y, const Box& box = Box::line(4), std::size_t offset = 0) {
    const Argument arguments[] = {Argument::buffer(x, offset), Argument::buffer(y)};
    executor.kernel({"stream_copy", Precision::float64, {}})->launch(to, box, arguments);
  }

  bool idle = false;                                   ///< the kernel does nothing
  std::function<void(const kernels::Resolved*)> also;  ///< what it does besides
  CheckedExecutor executor;
  std::unique_ptr<Queue> queue;
};

/// The message of the bug that `body` throws; fails the test where it throws none.
template <class Body>
std::string bug(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bug);
    return error.what();
  }
  ADD_FAILURE() << "nothing was noticed";
  return {};
}

double* reals(const kernels::Resolved& argument) { return static_cast<double*>(argument.data); }

TEST(CheckMemory, IsPoisonedUntilItIsSet) {
  Device device;
  const auto memory = device.memory(4);
  for (const double value : device.values(*memory, *device.queue)) EXPECT_TRUE(std::isnan(value));
}

TEST(CheckMemory, NoticesWritesToItsGuardZones) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  const auto y = device.memory(4);
  device.also = [](const kernels::Resolved* a) { reals(a[1])[4] = 0; };
  device.copy(*device.queue, *x, *y);
  EXPECT_THAT(bug([&] { device.queue->synchronize(); }),
              AllOf(HasSubstr("kernel stream_copy, argument y"), HasSubstr("past its end")));
}

TEST(CheckMemory, IsLentToTheHostAndComesBackChanged) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  std::byte* const lent = device.queue->map(*x, 8, 16);
  auto* const middle = reinterpret_cast<double*>(lent);
  EXPECT_EQ(middle[0], 2);
  EXPECT_EQ(middle[1], 3);
  middle[1] = 7;
  device.queue->unmap(*x, lent);
  EXPECT_EQ(device.values(*x, *device.queue), (std::vector<double>{1, 2, 7, 4}));
}

TEST(CheckMemory, IsNotUsedWhileTheHostHasIt) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  const auto y = device.memory(4);
  std::byte* const lent = device.queue->map(*x, 0, 8);
  const std::string words = "mapped and not unmapped";
  EXPECT_THAT(bug([&] { device.copy(*device.queue, *x, *y); }), AllOf(HasSubstr("stream_copy"), HasSubstr(words)));
  EXPECT_THAT(bug([&] { device.values(*x, *device.queue); }), AllOf(HasSubstr("copy_out"), HasSubstr(words)));
  EXPECT_THAT(bug([&] { device.queue->map(*x, 8, 8); }), AllOf(HasSubstr("map"), HasSubstr(words)));
  EXPECT_THAT(bug([&] { device.queue->unmap(*x, lent + 1); }), HasSubstr("nothing of allocation"));
  device.queue->unmap(*x, lent);
  EXPECT_THAT(bug([&] { device.queue->unmap(*x, lent); }), HasSubstr("nothing of allocation"));
  device.copy(*device.queue, *x, *y);
  EXPECT_EQ(device.values(*y, *device.queue).front(), 1);
}

TEST(CheckMemoryDeathTest, IsGoneForTheHostOnceItIsGivenBack) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  volatile std::byte* const lent = device.queue->map(*x, 0, 8);
  device.queue->unmap(*x, const_cast<std::byte*>(lent));
  EXPECT_DEATH(lent[0] = std::byte{1}, "");
}

TEST(CheckMemory, ReportsDamageOfFreedMemoryAtTheNextWait) {
  Device device;
  static_cast<CheckedMemory&>(*device.memory(4)).allocation()->data()[-1] = std::byte{7};
  EXPECT_THAT(bug([&] { device.queue->synchronize(); }), HasSubstr("1 bytes before its start"));
}

TEST(CheckMemory, NoticesUseAfterTheFree) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  device.copy(*device.queue, *x, *device.memory(4));  // y goes while the launch is pending
  EXPECT_THAT(bug([&] { device.queue->synchronize(); }), HasSubstr("was freed while this work was pending"));
}

TEST(CheckMemory, RefusesCopiesOutsideIt) {
  Device device;
  const auto memory = device.memory(4);
  std::vector<std::byte> bytes(16);
  EXPECT_THAT(bug([&] { device.queue->copy_in(*memory, 24, bytes); }), HasSubstr("copy_in: bytes 24 to 40"));
  EXPECT_THAT(bug([&] { device.queue->copy_out(bytes, *memory, 33); }), HasSubstr("copy_out"));
}

TEST(CheckKernel, NoticesAChangedInput) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  const auto y = device.memory(4);
  device.also = [](const kernels::Resolved* a) { reals(a[0])[2] = 0; };
  device.copy(*device.queue, *x, *y);
  EXPECT_THAT(bug([&] { device.queue->synchronize(); }),
              AllOf(HasSubstr("stream_copy, argument x"), HasSubstr("element 2"), HasSubstr("only read")));
}

TEST(CheckKernel, NoticesWritesOutsideTheBox) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4, 5, 6});
  const auto y = device.memory(6);
  device.also = [](const kernels::Resolved* a) { reals(a[1])[4] = 0; };
  device.copy(*device.queue, *x, *y);
  EXPECT_THAT(bug([&] { device.queue->synchronize(); }),
              AllOf(HasSubstr("argument y"), HasSubstr("element 4"), HasSubstr("may not write")));
}

TEST(CheckKernel, NoticesWhatIsLeftUnwritten) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  const auto y = device.filled({1, 2, 3, 4});
  device.idle = true;
  device.copy(*device.queue, *x, *y);
  EXPECT_THAT(bug([&] { device.queue->synchronize(); }), AllOf(HasSubstr("argument y"), HasSubstr("unwritten")));
}

class CheckStopped : public testing::Test {
 protected:
  void launch() {
    const std::int64_t stop[] = {3, 1};
    device.queue->copy_in(*control, 0, std::as_bytes(std::span(stop)));
    const Argument arguments[] = {Argument::buffer(*r, 0, 4), Argument::buffer(*partials), Argument::buffer(*control)};
    device.executor.kernel({"jacobi_norm", Precision::float64, {}})->launch(*device.queue, Box::plane(4, 1), arguments);
  }
  Device device;
  std::unique_ptr<Memory> r = device.filled({1, 2, 3, 4});
  std::unique_ptr<Memory> partials = device.filled({5});
  std::unique_ptr<Memory> control = device.memory(2);
};

TEST_F(CheckStopped, LeavesOutputsAsTheyAre) {
  launch();
  EXPECT_EQ(device.values(*partials, *device.queue), std::vector<double>{5});
}

TEST_F(CheckStopped, NoticesAKernelThatIgnoresControl) {
  device.also = [](const kernels::Resolved* a) { reals(a[1])[0] = 30; };
  launch();
  EXPECT_THAT(bug([&] { device.queue->synchronize(); }), HasSubstr("jacobi_norm, argument partials"));
}

TEST(CheckArguments, MustFitTheCatalogue) {
  Device device;
  const auto x = device.memory(4);
  const auto y = device.memory(4);
  const auto launch = [&](const std::vector<Argument>& arguments) {
    return bug([&] {
      device.executor.kernel({"stream_copy", Precision::float64, {}})->launch(*device.queue, Box::line(4), arguments);
    });
  };
  const Argument in = Argument::buffer(*x);
  EXPECT_THAT(launch({in}), HasSubstr("takes 2 arguments and was launched with 1"));
  EXPECT_THAT(launch({in, Argument::real(1)}), HasSubstr("argument y: the catalogue asks for another kind"));
  EXPECT_THAT(launch({in, Argument::absent()}), HasSubstr("argument y: the buffer is absent"));
  EXPECT_THAT(launch({in, in}), HasSubstr("argument y: overlaps argument x"));
  EXPECT_THAT(launch({in, Argument::buffer(*y, 4)}), HasSubstr("no whole element"));
  EXPECT_THAT(launch({in, Argument::buffer(*y, 8)}), HasSubstr("lie outside"));
  EXPECT_THAT(launch({in, Argument::buffer(*y, 0, -4)}), HasSubstr("negative"));
}

TEST(CheckArguments, MustHoldTheirGhostsAndRows) {
  Device device;
  const auto u = device.memory(25);
  const auto au = device.memory(25);
  const auto control = device.memory(2);
  const auto launch = [&](std::size_t offset, std::int64_t pitch) {
    const Argument arguments[] = {Argument::buffer(*u, offset * 8, pitch),
                                  Argument::buffer(*au, 6 * 8, 5),
                                  Argument::real(1),
                                  Argument::real(1),
                                  Argument::real(4),
                                  Argument::buffer(*control)};
    device.executor.kernel({"jacobi_laplacian", Precision::float64, {}})
        ->launch(*device.queue, Box::plane(3, 3), arguments);
  };
  EXPECT_NO_THROW(launch(6, 5));
  EXPECT_THAT(bug([&] { launch(0, 5); }), AllOf(HasSubstr("argument u"), HasSubstr("lies before")));
  EXPECT_THAT(bug([&] { launch(12, 5); }), AllOf(HasSubstr("argument u"), HasSubstr("lie outside")));
  EXPECT_THAT(bug([&] { launch(6, 4); }), HasSubstr("a pitch of 4 is less than a row of 5 elements"));
}

TEST(CheckArguments, RefusesAConstantThatTheCatalogueLacks) {
  Device device;
  EXPECT_THAT(bug([&] {
                device.executor.kernel({"stream_copy", Precision::float64, {{"order", 2}}});
              }),
              HasSubstr("no constant 'order'"));
}

TEST(CheckQueue, WorksOnlyWhenSomebodyWaits) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  const auto y = device.filled({0, 0, 0, 0});
  device.queue->synchronize();
  const auto other = device.executor.queue();
  device.copy(*device.queue, *x, *y);
  EXPECT_EQ(device.values(*y, *other), (std::vector<double>{0, 0, 0, 0})) << "nothing orders the two queues";
  device.queue->synchronize();
  EXPECT_EQ(device.values(*y, *other), (std::vector<double>{1, 2, 3, 4}));
}

TEST(CheckQueue, WorksAtOnceWhereThatIsAskedFor) {
  Device device(false);
  const auto x = device.filled({1, 2, 3, 4});
  const auto y = device.memory(4);
  device.copy(*device.queue, *x, *y);
  EXPECT_EQ(device.values(*y, *device.executor.queue()), (std::vector<double>{1, 2, 3, 4}));
}

TEST(CheckQueue, AnEventOrdersTwoQueuesUpToItsRecord) {
  Device device;
  const auto x = device.filled({1, 2, 3, 4});
  const auto y = device.memory(4);
  const auto event = device.executor.event();
  device.copy(*device.queue, *x, *y);
  device.queue->record(*event);
  const std::vector<double> later{9, 9, 9, 9};
  device.queue->copy_in(*y, 0, std::as_bytes(std::span(later)));
  const auto other = device.executor.queue();
  other->wait(*event);
  EXPECT_EQ(device.values(*y, *other), (std::vector<double>{1, 2, 3, 4}));
}

TEST(CheckQueue, RefusesAnEventThatWasNeverRecorded) {
  Device device;
  const auto event = device.executor.event();
  EXPECT_THAT(bug([&] { device.queue->wait(*event); }), HasSubstr("never recorded"));
}

TEST(CheckOrder, VisitsEveryPointOnce) {
  for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
    for (std::int64_t count : {1, 2, 7, 1024, 1009}) {
      std::vector<int> visits(static_cast<std::size_t>(count));
      for (std::uint64_t seed : {1U, 2U, 1008U}) {
        const Permutation place(order, count, seed);
        for (std::int64_t k = 0; k < count; ++k) ++visits.at(static_cast<std::size_t>(place(k)));
      }
      EXPECT_THAT(visits, testing::Each(3));
    }
  }
}

}  // namespace
}  // namespace quoin::check
