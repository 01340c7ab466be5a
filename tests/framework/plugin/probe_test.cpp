// Probing in a child process, and choosing a backend and a device (faults 22 and 24).

#include "plugin/probe.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "testing.hpp"

namespace quoin {
namespace {

using ::testing::AllOf;
using testing::error_of;
using testing::fake;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LogCapture;
using ::testing::SizeIs;

Probed probe(const std::string& name, double seconds = 60.0) {
  return probe_plugin(inspect_plugin(fake(name)), seconds);
}

TEST(Probe, ReportsTheDevices) {
  const Probed good = probe("good");
  EXPECT_THAT(good.reason, IsEmpty());
  ASSERT_THAT(good.devices, SizeIs(2));
  EXPECT_EQ(good.devices[0].name, "Fake Alpha");
  EXPECT_EQ(good.devices[0].kind, DeviceKind::gpu);
  EXPECT_EQ(good.devices[0].memories,
            (std::vector{MemoryKind::device, MemoryKind::shared_coarse, MemoryKind::zero_copy}));
  EXPECT_EQ(good.devices[0].error_bound, 1e-6);
  EXPECT_EQ(good.devices[0].driver, "driver 4.5");
  EXPECT_EQ(good.devices[0].version, "Fake 6.7");
}

TEST(Probe, TellsThePluginWhichDeviceIsWanted) {
  const BackendChoice beta{.name = "good", .device = "Beta", .options = {}, .place = {}};
  for (const bool with_executor : {false, true}) {
    const Probed good = Probing(inspect_plugin(fake("good")), 60.0, &beta, with_executor).answer();
    EXPECT_THAT(good.reason, IsEmpty());
    ASSERT_THAT(good.devices, SizeIs(1));
    EXPECT_EQ(good.devices[0].name, "Fake Beta");
  }
}

// row 24
TEST(Probe, SurvivesACrash) {
  const Probed crashed = probe("crashes");
  EXPECT_THAT(crashed.reason, HasSubstr("crashed while probed: signal 11 (Segmentation fault)"));
  EXPECT_EQ(crashed.kind, ErrorKind::plugin);
}

// row 24
TEST(Probe, SurvivesAHang) { EXPECT_EQ(probe("hangs", 0.25).reason, "did not return within 0.25 s while probed"); }

/// Whoever asks late is told what the child said in time.
TEST(Probe, KeepsItsAnswer) {
  Probing good(inspect_plugin(fake("good")), 0.5);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_THAT(good.answer().devices, SizeIs(2));
}

TEST(Probe, EndsWithWhoWantsNoAnswer) {
  { const Probing hangs(inspect_plugin(fake("hangs"))); }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// row 24
TEST(Probe, SurvivesAnExit) { EXPECT_THAT(probe("exits").reason, HasSubstr("ended the process that probed it")); }

TEST(Probe, DropsWhatIsPrinted) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const Probed prints = probe("prints");
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), IsEmpty());
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), IsEmpty());
  EXPECT_THAT(prints.devices, SizeIs(2));
}

// row 24
TEST(Probe, TellsAThrow) {
  const Probed throws = probe("throwing-devices");
  EXPECT_EQ(throws.reason, "thrown by devices");
  EXPECT_EQ(throws.kind, ErrorKind::plugin);
}

// row 22
TEST(Probe, ADeviceFaultIsNoPluginFault) {
  const Probed none = probe("no-device");
  EXPECT_EQ(none.reason, "the driver is not loaded");
  EXPECT_EQ(none.kind, ErrorKind::device);
}

TEST(Probe, WorksWhileThreadsLogAndAllocate) {
  std::atomic<bool> done{false};
  std::thread busy([&] {
    while (!done) {
      log().debug("{}", std::string(100, 'x'));
    }
  });
  for (int k = 0; k < 20; ++k) EXPECT_THAT(probe("good").devices, SizeIs(2));
  done = true;
  busy.join();
}

DeviceInfo device(const std::string& name) {
  DeviceInfo info;
  info.name = name;
  return info;
}

TEST(FindDevice, ByNumberOrPartOfTheName) {
  const std::vector<DeviceInfo> devices{device("NVIDIA H100"), device("AMD MI250X"), device("portable 3090")};
  EXPECT_EQ(find_device(devices, "1", "hip"), 1);
  EXPECT_EQ(find_device(devices, "mi250", "hip"), 1);
  EXPECT_EQ(find_device(devices, "H100", "hip"), 0);
  for (const char* wanted : {"3", "", "intel", "-1", "99999999999999999999", "0x1"}) {
    const Error error = error_of([&] { find_device(devices, wanted, "hip"); });
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'hip'"), HasSubstr(std::string("no device '") + wanted + "'"),
                                    HasSubstr("1 (AMD MI250X)")));
  }
}

class Choose : public ::testing::Test {
 protected:
  ~Choose() override { shutdown_backends(); }
  static BackendChoice choice(const std::string& name, const std::string& device = "0") {
    return {.name = name, .device = device, .options = {}, .place = {}};
  }
  std::vector<Candidate> candidates_{inspect_plugin(fake("good")), inspect_plugin(fake("crashes")),
                                     inspect_plugin(fake("no-device")), inspect_plugin(fake("other-major"))};
};

TEST_F(Choose, TheBackendAndItsDevice) {
  const Chosen chosen = choose_backend({choice("good", "beta")}, candidates_);
  EXPECT_EQ(chosen.device, 1);
  EXPECT_EQ(chosen.executor->device().name, "Fake Beta");
  EXPECT_EQ(chosen.backend->candidate().name, "good");
  EXPECT_EQ(choose_backend({choice("good", "Beta")}, candidates_).executor->device().name, "Fake Beta");
}

TEST(FindDevice, RanksTakeTurnsAtDevicesOfOneName) {
  std::vector<DeviceInfo> devices(5);
  for (std::size_t k = 0; k < devices.size(); ++k)
    devices[k].name = k % 2 == 0 ? "a GPU" : "host " + std::to_string(k) + " (threads)";
  const auto found = [&](const std::string& device, int turn) {
    return find_device(devices, {.name = "b", .device = device, .turn = turn, .options = {}, .place = {}});
  };
  EXPECT_EQ(found("gpu", 0), 0);
  EXPECT_EQ(found("gpu", 1), 2);
  EXPECT_EQ(found("gpu", 5), 4);
  EXPECT_EQ(found("host", 1), 3);
  EXPECT_EQ(found("host", 2), 1);
  EXPECT_EQ(found("0", 1), 2);  // as where the case gives none
  EXPECT_EQ(found("2", 3), 2);
}

// row 22
TEST_F(Choose, OneEntryIsStrict) {
  EXPECT_EQ(error_of([&] { choose_backend({choice("no-device")}, candidates_); }).exit_code(), 7);
  EXPECT_EQ(error_of([&] { choose_backend({choice("other-major")}, candidates_); }).exit_code(), 8);
  EXPECT_EQ(error_of([&] { choose_backend({choice("good", "gamma")}, candidates_); }).exit_code(), 7);
  const Error crash = error_of([&] { choose_backend({choice("crashes")}, candidates_); });
  EXPECT_EQ(crash.exit_code(), 8);
  EXPECT_THAT(crash.what(), HasSubstr("signal 11"));
  EXPECT_EQ(crash.where(), fake("crashes").string());
}

// row 22
TEST_F(Choose, AListFallsBackAndSaysWhy) {
  const LogCapture logged;
  const Chosen chosen =
      choose_backend({choice("absent"), choice("no-device"), choice("crashes"), choice("good")}, candidates_);
  EXPECT_EQ(chosen.backend->candidate().name, "good");
  EXPECT_THAT(logged.text(),
              AllOf(HasSubstr("no backend 'absent'"), HasSubstr("the driver is not loaded"), HasSubstr("signal 11")));
}

TEST_F(Choose, TheLastErrorIsThrown) {
  EXPECT_EQ(error_of([&] { choose_backend({choice("crashes"), choice("no-device")}, candidates_); }).exit_code(), 7);
  EXPECT_EQ(error_of([&] { choose_backend({choice("no-device"), choice("crashes")}, candidates_); }).exit_code(), 8);
}

TEST_F(Choose, AnUnknownNameListsTheKnownOnesAndTheFolders) {
  const Error error = error_of([&] { choose_backend({choice("goood")}, candidates_); });
  EXPECT_EQ(error.exit_code(), 8);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("'goood'"), HasSubstr("known are: crashes, good, no-device"),
                                  HasSubstr(QUOIN_FAKES_DIR), HasSubstr("--plugin-dir")));
}

}  // namespace
}  // namespace quoin
