// That calls cross the boundary unchanged, whatever either side is older in, and what becomes of errors there (faults
// 23 and 24).

#include <array>
#include <cstring>
#include <vector>

#include "plugin/loader.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/plugin_abi.h"
#include "testing.hpp"

namespace quoin {
namespace {

using testing::error_of;
using testing::fake;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Shim : public testing::WithPlugins {};

KernelSpec plain(const char* name) { return {name, Precision::float64, {}}; }

TEST_F(Shim, DevicesCrossUnchanged) {
  const std::vector<DeviceInfo> devices = open_backend(inspect_plugin(fake("good")))->devices("");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[1].name, "Fake Beta");
  EXPECT_EQ(devices[1].kind, DeviceKind::gpu);
  EXPECT_EQ(devices[1].memory_bytes, 1000U);
  EXPECT_EQ(devices[1].units, 3U);
  EXPECT_EQ(devices[1].subgroup, 32U);
  EXPECT_EQ(devices[1].peak_bandwidth, 2.5e9);
  EXPECT_EQ(devices[1].memories, (std::vector{MemoryKind::device, MemoryKind::shared_coarse, MemoryKind::zero_copy}));
  EXPECT_EQ(devices[1].precisions, std::vector{Precision::float32});
  EXPECT_EQ(devices[1].error_bound, 1e-6);
  EXPECT_EQ(devices[1].note, "not real");
  EXPECT_EQ(devices[1].driver, "driver 4.5");
  EXPECT_EQ(devices[1].version, "Fake 6.7");
}

TEST_F(Shim, DevicesThatAreNotWantedMayBeLeftOut) {
  const auto devices = [](const char* plugin, const std::string& wanted) {
    const auto backend = open_backend(inspect_plugin(fake(plugin)));
    const std::size_t count = backend->devices(wanted).size();
    const int last = static_cast<int>(count) - 1;
    EXPECT_EQ(backend->executor(last, {})->device().name, "Fake Beta");
    return count;
  };
  EXPECT_EQ(devices("good", "Beta"), 1U);
  EXPECT_EQ(devices("good", ""), 2U);
  EXPECT_EQ(devices("older", "Beta"), 2U);  // it is not told
}

TEST_F(Shim, AnExecutorIsWhatItsOptionsLeaveOfItsDevice) {
  const auto memories = [](const char* plugin, const OptionMap& options) {
    const auto device = open_backend(inspect_plugin(fake(plugin)))->executor(1, options);
    EXPECT_EQ(device->device().name, "Fake Beta");
    return device->device().memories;
  };
  const std::vector all{MemoryKind::device, MemoryKind::shared_coarse, MemoryKind::zero_copy};
  EXPECT_EQ(memories("good", {{"order", "up"}}), all);
  EXPECT_EQ(memories("good", {{"order", "down"}}), std::vector{MemoryKind::device});
  EXPECT_EQ(memories("older", {{"order", "down"}}), all);  // it does not tell
}

TEST_F(Shim, DevicesOfAnOlderMinorHaveNoVersions) {
  const std::vector<DeviceInfo> devices = open_backend(inspect_plugin(fake("older")))->devices("");
  EXPECT_EQ(devices.at(1).note, "not real");
  EXPECT_THAT(devices.at(1).driver + devices.at(1).version, IsEmpty());
}

TEST_F(Shim, AHostOfAnOlderMinorGetsNoMoreThanItHasRoomFor) {
  const quoin_host host{sizeof host, QUOIN_ABI_MAJOR, 0, [](std::int32_t, const char*) {}, nullptr};
  const auto plugin = load_plugin(inspect_plugin(fake("throwing")), system_opener(), host);
  quoin_device_info info;
  std::memset(&info, 'x', sizeof info);
  info.size = offsetof(quoin_device_info, driver);
  quoin_error error{sizeof error, {}, {}};
  ASSERT_EQ(plugin->table.device_info(0, &info, &error), 0);
  EXPECT_STREQ(info.name, "thrower");
  EXPECT_EQ(info.driver[0], 'x');
  EXPECT_EQ(info.version[0], 'x');
}

/// The plugins of other minor versions that cover the required entries.
class EveryMinor : public Shim, public ::testing::WithParamInterface<const char*> {};

// row 23
TEST_P(EveryMinor, LaunchesCrossUnchanged) {
  const auto device = executor(GetParam());
  const KernelSpec spec{"record", Precision::float32, {{"order", 5}}};
  EXPECT_TRUE(device->supports(spec));
  EXPECT_FALSE(device->supports({"record", Precision::float64, {{"order", 5}}}));
  const auto queue = device->queue();
  const auto kernel = device->kernel(spec);
  const auto out = device->allocate(500, MemoryKind::device);
  const auto in = device->allocate(16, MemoryKind::pinned);
  EXPECT_EQ(in->bytes(), 16U);
  EXPECT_EQ(in->kind(), MemoryKind::pinned);

  const std::array arguments{Argument::buffer(*out, 8, 3), Argument::absent(), Argument::real(0.5),
                             Argument::integer(-7), Argument::buffer(*in)};
  kernel->launch(*queue, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, arguments);
  queue->synchronize();
  EXPECT_EQ(queue->launches(), 1U);

  std::array<char, 500> text{};
  queue->copy_out(std::as_writable_bytes(std::span(text)), *out, 0);
  EXPECT_STREQ(text.data(),
               "box 1 2 3 to 4 5 6 from 7 8 9, 500 bytes at 8 by 3, absent, real 0.5, integer -7, 16 bytes at 0 by 0");

  queue->copy_in(*out, 4, std::as_bytes(std::span("BOX")));
  queue->copy_out(std::as_writable_bytes(std::span(text)).first(3), *out, 4);
  EXPECT_EQ(std::string(text.data(), 3), "BOX");
}

// row 23
TEST_P(EveryMinor, AbsentEntriesHaveTheHostsDefault) {
  const auto device = executor(GetParam());
  const FieldSpec field{{100, 50, 1}, 8, 1};
  EXPECT_EQ(device->layout(field).pitch, default_layout(field).pitch);
  EXPECT_EQ(device->layout(field).bytes, default_layout(field).bytes);
  const auto kernel = device->kernel(plain("stream_copy"));
  const Box box = Box::plane(10, 10);
  EXPECT_EQ(kernel->cost(box).bytes, catalogue_cost(plain("stream_copy"), box).bytes);
  const auto queue = device->queue();
  const auto first = device->event();
  const auto second = device->event();
  EXPECT_EQ(error_of([&] { (void)second->seconds_since(*first); }).kind(), ErrorKind::bug);  // not recorded
  queue->record(*first);
  queue->record(*second);
  queue->wait(*second);
  EXPECT_GE(second->seconds_since(*first), 0.0);
}

TEST_F(Shim, MemoryThatTheHostSeesHasAnAddress) {
  const auto device = executor("good");
  const auto memory = device->allocate(3, MemoryKind::device);
  device->queue()->copy_in(*memory, 0, std::as_bytes(std::span("BOX").first(3)));
  ASSERT_NE(memory->on_host(), nullptr);
  EXPECT_EQ(std::memcmp(memory->on_host(), "BOX", 3), 0);
  EXPECT_EQ(executor("older")->allocate(3, MemoryKind::device)->on_host(), nullptr);  // it does not tell
}

TEST_F(Shim, MemoryThatIsLentToTheHostHasAnAddressUntilItIsGivenBack) {
  const auto device = executor("good");
  const auto queue = device->queue();
  const auto memory = device->allocate(600, MemoryKind::device);
  std::byte* const lent = queue->map(*memory, 3, 500);
  EXPECT_EQ(lent, memory->on_host() + 3);
  queue->unmap(*memory, lent);
  EXPECT_EQ(*memory->on_host(), std::byte{0});  // the plugin was told of the address
  queue->unmap(*memory, queue->map(*memory, 0, 1));
  EXPECT_EQ(*memory->on_host(), static_cast<std::byte>('!'));

  EXPECT_THAT(error_of([&] { queue->map(*memory, 0, 501); }).what(), HasSubstr("500 bytes at most"));
  EXPECT_EQ(error_of([&] { queue->map(*memory, 590, 11); }).kind(), ErrorKind::bug);
  const auto older = executor("older");
  EXPECT_EQ(older->queue()->map(*older->allocate(8, MemoryKind::device), 0, 8), nullptr);  // it cannot
}

TEST_F(Shim, WhatIsRecordedRunsAsOftenAsItIsAskedTo) {
  const auto device = executor("good");
  const auto queue = device->queue();
  const auto memory = device->allocate(600, MemoryKind::device);
  const auto kernel = device->kernel({"record", Precision::float32, {{"order", 5}}});
  const auto text = [&] { return std::string(reinterpret_cast<const char*>(memory->on_host())); };
  const std::array arguments{Argument::buffer(*memory, 0, 0)};

  ASSERT_TRUE(queue->begin_sequence());
  kernel->launch(*queue, Box::line(7), arguments);
  const std::unique_ptr<Sequence> sequence = queue->end_sequence();
  EXPECT_THAT(text(), IsEmpty());
  EXPECT_EQ(queue->launches(), 0U);
  queue->run_sequence(*sequence);
  EXPECT_THAT(text(), HasSubstr("to 7 1 1"));
  kernel->launch(*queue, Box::line(8), arguments);
  EXPECT_THAT(text(), HasSubstr("to 8 1 1"));
  queue->run_sequence(*sequence);
  EXPECT_THAT(text(), HasSubstr("to 7 1 1"));
  EXPECT_EQ(queue->launches(), 3U);

  EXPECT_EQ(error_of([&] { executor("good")->queue()->run_sequence(*sequence); }).kind(),
            ErrorKind::bug);  // of another device
  EXPECT_FALSE(executor("older")->queue()->begin_sequence());
}

TEST_F(Shim, CountsTheBytesThatTheHostCopies) {
  const auto device = executor("good");
  const auto queue = device->queue();
  const auto memory = device->allocate(16, MemoryKind::device);
  std::array<std::byte, 16> bytes{};
  queue->copy_in(*memory, 0, bytes);
  queue->copy_in(*memory, 8, std::span(bytes).first(4));
  queue->copy_out(std::span(bytes).first(3), *memory, 0);
  queue->unmap(*memory, queue->map(*memory, 0, 16));  // is none
  device->queue()->copy_out(bytes, *memory, 0);
  EXPECT_EQ(device->copied().to_device, 20U);
  EXPECT_GT(device->copied().seconds_to_device, 0.0);
  EXPECT_EQ(device->copied().from_device, 19U);
}

INSTANTIATE_TEST_SUITE_P(Fakes, EveryMinor, ::testing::Values("good", "older", "newer"));

TEST_F(Shim, ErrorsNameThePlaceAndTheKernel) {
  const auto device = executor("good");
  const auto queue = device->queue();
  const auto memory = device->allocate(8, MemoryKind::device);
  const auto kernel = device->kernel(plain("fails"));
  const Error error = error_of([&] { kernel->launch(*queue, Box::line(1), {}); });
  EXPECT_EQ(error.kind(), ErrorKind::diverged);
  EXPECT_STREQ(error.what(), "a point went wrong");
  EXPECT_EQ(error.where(), fake("good").string() + ", device 0 (Fake Alpha), kernel fails, point 3");
  EXPECT_EQ(queue->launches(), 0U);  // it was not accepted

  EXPECT_EQ(error_of([&] { device->allocate(1001, MemoryKind::device); }).kind(), ErrorKind::device);
  EXPECT_THAT(error_of([&] { device->kernel(plain("null")); }).what(), HasSubstr("made no kernel"));
  const auto past_the_end = [&] { queue->copy_in(*memory, 5, std::as_bytes(std::span("abcd").first(4))); };
  EXPECT_EQ(error_of(past_the_end).kind(), ErrorKind::bug);
  const std::vector<Argument> many(QUOIN_MOST_ARGUMENTS + 1);
  EXPECT_EQ(error_of([&] { kernel->launch(*queue, Box::line(1), many); }).kind(), ErrorKind::bug);
}

TEST_F(Shim, ALaunchWithAnotherNumberOfArgumentsIsABug) {
  const auto device = executor("good");
  const auto queue = device->queue();
  const auto kernel = device->kernel(plain("stream_copy"));
  const std::array<Argument, 3> three{};
  for (const std::size_t count : {1U, 3U}) {
    const Error error = error_of([&] { kernel->launch(*queue, Box::line(1), std::span(three).first(count)); });
    EXPECT_EQ(error.kind(), ErrorKind::bug);
    EXPECT_EQ(error.what(), "kernel stream_copy takes 2 arguments and was launched with " + std::to_string(count));
  }
}

TEST_F(Shim, ALaunchOverBlocksThatAreNotTheGlobalGridsIsABug) {
  const auto device = executor("good");
  const auto queue = device->queue();
  const auto kernel = device->kernel(plain("jacobi_norm"));
  const std::array<Argument, 3> arguments{};
  // From global node (16, 32): this one reaches the plugin, whose kernel fails.
  const Error reached = error_of([&] { kernel->launch(*queue, {{3, 5, 0}, {40, 99, 1}, {13, 27, 0}}, arguments); });
  EXPECT_THAT(reached.what(), HasSubstr("a point went wrong"));
  const Error error = error_of([&] { kernel->launch(*queue, {{0, 0, 0}, {40, 99, 1}, {13, 27, 0}}, arguments); });
  EXPECT_EQ(error.kind(), ErrorKind::bug);
  EXPECT_THAT(error.what(), HasSubstr("begins at node (13, 27)"));
}

// row 23
TEST_F(Shim, AFamilyOfOtherKernelsIsNotOffered) {
  const KernelSpec pack{"halo_pack", Precision::float32, {}};
  const KernelSpec copy{"stream_copy", Precision::float32, {}};
  EXPECT_NO_THROW((void)executor("good")->kernel(pack));
  const auto device = executor("other-family");
  EXPECT_FALSE(device->supports(pack));
  EXPECT_TRUE(device->supports(copy));
  EXPECT_NO_THROW((void)device->kernel(copy));
  const Error error = error_of([&] { (void)device->kernel(pack); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("other kernels of the family 'halo'"));
}

TEST_F(Shim, UnknownStatusesBlameThePlugin) {
  const Error error = error_of([&] { executor("good", {{"status", "77"}}); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("status 77 and no reason"));
}

TEST_F(Shim, ObjectsOfAnotherExecutorAreABug) {
  const auto one = executor("good");
  const auto two = executor("other");
  const auto kernel = one->kernel(plain("record"));
  const auto foreign_queue = two->queue();
  const auto foreign_memory = two->allocate(8, MemoryKind::device);
  EXPECT_EQ(error_of([&] { kernel->launch(*foreign_queue, Box::line(1), {}); }).kind(), ErrorKind::bug);
  const std::array arguments{Argument::buffer(*foreign_memory)};
  EXPECT_EQ(error_of([&] { kernel->launch(*one->queue(), Box::line(1), arguments); }).kind(), ErrorKind::bug);
}

TEST_F(Shim, WaitsBeforeMemoryGoesAndKeepsTheError) {
  const auto device = executor("throwing", {{"in", "synchronize"}});
  auto memory = device->allocate(8, MemoryKind::device);
  const auto queue = device->queue();
  const std::array<std::byte, 8> bytes{};
  memory.reset();  // nothing is pending
  memory = device->allocate(8, MemoryKind::device);
  queue->copy_in(*memory, 0, bytes);
  memory.reset();
  memory = device->allocate(8, MemoryKind::device);
  EXPECT_STREQ(error_of([&] { queue->copy_in(*memory, 0, bytes); }).what(), "thrown by synchronize");
  queue->copy_in(*memory, 0, bytes);
}

TEST_F(Shim, TheSdkFillsEveryOptionalEntry) {
  const auto device = executor("throwing");
  const Layout layout = device->layout({{10, 20, 1}, 8, 1});
  EXPECT_EQ(layout.ghost, 2);
  EXPECT_EQ(layout.pitch, 110);
  EXPECT_EQ(layout.origin, 227);
  EXPECT_EQ(layout.bytes, 21120U);
  const auto queue = device->queue();
  const auto event = device->event();
  queue->record(*event);
  queue->wait(*event);
  EXPECT_EQ(event->seconds_since(*event), 1.5);
  EXPECT_EQ(queue->launches(), 99U);
  EXPECT_EQ(device->kernel(plain("any"))->cost(Box::line(1)).flops, 4.0);
}

/// Calls every method of an executor and of what it makes.
void use_all(Executor& device) {
  (void)device.supports(plain("any"));
  (void)device.layout({});
  const auto memory = device.allocate(8, MemoryKind::device);
  const auto queue = device.queue();
  const auto event = device.event();
  std::array<std::byte, 8> bytes{};
  (void)memory->on_host();
  queue->copy_in(*memory, 0, bytes);
  queue->copy_out(bytes, *memory, 0);
  queue->record(*event);
  queue->wait(*event);
  queue->synchronize();
  (void)queue->launches();
  (void)event->seconds_since(*event);
  const auto kernel = device.kernel(plain("any"));
  kernel->launch(*queue, Box::line(1), {});
  (void)kernel->cost(Box::line(1));
}

class Throwing : public Shim, public ::testing::WithParamInterface<const char*> {};

// row 24
TEST_P(Throwing, BecomesAnError) {
  const auto run = [](const char* what) {
    return error_of([&] { use_all(*executor("throwing", {{"in", GetParam()}, {"what", what}})); });
  };
  const Error plain = run("");
  EXPECT_EQ(plain.exit_code(), 8);
  EXPECT_EQ(plain.what(), std::string("thrown by ") + GetParam());
  EXPECT_THAT(plain.where(), HasSubstr("throwing.so, device 0 (thrower)"));
  EXPECT_THAT(run("integer").what(), HasSubstr("no std::exception"));
  EXPECT_EQ(run("memory").kind(), ErrorKind::device);
  const Error own = run("quoin");
  EXPECT_EQ(own.kind(), ErrorKind::diverged);
  EXPECT_THAT(own.where(), HasSubstr(", cell 7"));
}

INSTANTIATE_TEST_SUITE_P(Methods, Throwing,
                         ::testing::Values("executor", "supports", "layout", "allocate", "queue", "event", "copy_in",
                                           "copy_out", "record", "wait", "synchronize", "launches", "seconds_since",
                                           "kernel", "launch", "cost", "on_host"));

// row 24
TEST_F(Shim, ALayoutThatDoesNotHoldTheFieldIsRefused) {
  const auto device = executor("throwing", {{"in", "small"}});
  const Error error = error_of([&] { (void)device->layout({{10, 20, 1}, 8, 1}); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("does not hold the field"));
}

// row 24
TEST_F(Shim, ANullObjectIsThePluginsFault) {
  const Error error = error_of([&] { use_all(*executor("throwing", {{"in", "null"}})); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("null pointer"));
}

}  // namespace
}  // namespace quoin
