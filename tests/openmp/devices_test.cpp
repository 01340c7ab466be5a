#include "devices.hpp"

#include <gtest/gtest.h>

namespace quoin::openmp {
namespace {

struct Device {
  Place place;
  int number;
};

std::vector<int> arranged(std::vector<Device> devices) {
  arrange(devices, &Device::place);
  std::vector<int> numbers;
  for (const Device& device : devices) numbers.push_back(device.number);
  return numbers;
}

TEST(OpenmpDevices, AGpuComesFirst) {
  EXPECT_EQ(arranged({{Place::host_offload, 0}, {Place::gpu, 1}, {Place::gpu, 2}, {Place::host_threads, -1}}),
            (std::vector{1, 2, -1, 0}));
}

TEST(OpenmpDevices, WithoutOneItIsTheHostsThreads) {
  EXPECT_EQ(arranged({{Place::host_offload, 0}, {Place::host_offload, 1}, {Place::host_threads, -1}}),
            (std::vector{-1, 0, 1}));
}

TEST(OpenmpDevices, ADeviceThatWouldRunOnTheHostIsForThoseWhoNameIt) {
  EXPECT_EQ(arranged({{Place::nowhere, 0}, {Place::host_offload, 1}, {Place::host_threads, -1}}),
            (std::vector{-1, 1, 0}));
}

TEST(OpenmpDevices, OthersAreNotLookedForWhereTheHostsThreadsAreMeant) {
  const auto alone = [](std::string_view wanted, bool (*gpu)()) {
    return means_host_threads(wanted, "host threads, AVX2", gpu);
  };
  const auto none = [] { return false; };
  const auto one = [] { return true; };
  for (const char* wanted : {"host", "host threads", "host threads, AVX2"}) EXPECT_TRUE(alone(wanted, one)) << wanted;
  for (const char* wanted : {"", "1", "t", "x86-64", "gpu", "host threads, AVX-512", "Host"})
    EXPECT_FALSE(alone(wanted, none)) << wanted;
  EXPECT_TRUE(alone("0", none));
  EXPECT_FALSE(alone("0", one));
}

TEST(OpenmpDevices, TheEnvironmentAsksForThreads) {
  EXPECT_EQ(threads_of_environment(nullptr), 0);
  EXPECT_EQ(threads_of_environment("8"), 8);
  EXPECT_EQ(threads_of_environment(" 8 , 2,1 "), 8);
  EXPECT_EQ(threads_of_environment("4096"), 4096);
}

TEST(OpenmpDevices, AnEnvironmentThatAsksForWhatCannotBeIsRefused) {
  for (const char* value : {"", " ", "0", "-1", "abc", "4097", "999999", "99999999999999999999", "2,", "2,0", "2 2",
                            "2;2", "1e3", "+2", "0x8"}) {
    EXPECT_THROW(threads_of_environment(value), Error) << value;
  }
}

}  // namespace
}  // namespace quoin::openmp
