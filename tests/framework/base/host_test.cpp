#include "base/host.hpp"

#include <gmock/gmock.h>

#include "temporary_folder.hpp"

namespace quoin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Pair;
using testing::StartsWith;

TEST(HostFacts, ComeFromTheFilesOfTheSystem) {
  const test::TemporaryFolder root;
  for (const char* folder : {"proc", "etc", "sys/module/nvidia"})
    std::filesystem::create_directories(root.path / folder);
  test::write_text(root.path / "proc/cpuinfo",
                   "processor\t: 0\nmodel\t\t: 17\nmodel name\t: A CPU: 2 GHz\nmodel name\t: another\n");
  test::write_text(root.path / "etc/os-release", "NAME=\"x\"\nPRETTY_NAME=\"Some Linux 12\"\n");
  test::write_text(root.path / "sys/module/nvidia/version", "580.65.06\n");
  const HostFacts facts = host_facts(root.path);
  EXPECT_EQ(facts.cpu, "A CPU: 2 GHz");
  EXPECT_THAT(facts.os, StartsWith("Some Linux 12, Linux "));
  EXPECT_THAT(facts.drivers, ElementsAre(Pair("nvidia_driver", "580.65.06")));
  EXPECT_NE(facts.name, "");
}

TEST(HostFacts, WithoutThoseFilesTellTheArchitectureAndTheKernel) {
  const test::TemporaryFolder root;
  const HostFacts facts = host_facts(root.path);
  EXPECT_NE(facts.cpu, "");
  EXPECT_THAT(facts.os, StartsWith("Linux "));
  EXPECT_THAT(facts.drivers, IsEmpty());
}

TEST(UtcNow, IsAnIsoDate) {
  EXPECT_THAT(utc_now(), MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z"));
}

}  // namespace
}  // namespace quoin
