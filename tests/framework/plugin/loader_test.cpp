// What the loader accepts and refuses (fault 23).

#include "plugin/loader.hpp"

#include <fstream>
#include <iterator>

#include "quoin/testing/mocks.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using ::testing::_;
using testing::error_of;
using testing::fake;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LogCapture;
using testing::MockOpener;
using ::testing::Return;
using ::testing::StrEq;
using testing::TemporaryFolder;
using testing::Variable;

class Loader : public testing::WithPlugins {};

Candidate imagined(const std::string& name) {
  Candidate candidate;
  candidate.file = "/imagined/" + name + ".so";
  candidate.name = name;
  return candidate;
}

// row 23
TEST_F(Loader, SaysWhyAnObjectCannotBeOpened) {
  MockOpener opener;
  EXPECT_CALL(opener, open(std::filesystem::path("/imagined/a.so"))).WillOnce(Return(nullptr));
  EXPECT_CALL(opener, error()).WillOnce(Return("libomp.so.5: not found"));
  const Error error = error_of([&] { open_backend(imagined("a"), opener); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("libomp.so.5: not found"));
  EXPECT_EQ(error.where(), "/imagined/a.so");
}

// row 23
TEST_F(Loader, SaysThatTheSymbolIsMissing) {
  MockOpener opener;
  int library = 0;
  EXPECT_CALL(opener, open(_)).WillOnce(Return(&library));
  EXPECT_CALL(opener, symbol(&library, StrEq("quoin_plugin"))).WillOnce(Return(nullptr));
  EXPECT_CALL(opener, error()).WillOnce(Return("undefined symbol"));
  const Error error = error_of([&] { open_backend(imagined("a"), opener); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("QUOIN_BACKEND"));
}

// row 23
TEST_F(Loader, NeverOpensARefusedCandidate) {
  MockOpener opener;
  EXPECT_CALL(opener, open(_)).Times(0);
  Candidate candidate = imagined("a");
  candidate.refusal = "smells";
  EXPECT_THAT(error_of([&] { open_backend(candidate, opener); }).what(), HasSubstr("smells"));
}

TEST_F(Loader, OpensOnlyAbsolutePaths) {
  EXPECT_EQ(system_opener().open("good.so"), nullptr);
  EXPECT_THAT(system_opener().error(), HasSubstr("absolute"));
}

struct RefusedPlugin {
  const char* name;
  const char* reason;
};

class RefusedOpened : public ::testing::TestWithParam<RefusedPlugin> {};

// row 23
TEST_P(RefusedOpened, WithTheReason) {
  const Candidate candidate = inspect_plugin(fake(GetParam().name));
  ASSERT_THAT(candidate.refusal, IsEmpty());
  const Error error = error_of([&] { open_backend(candidate); });
  EXPECT_EQ(error.exit_code(), 8);
  EXPECT_THAT(error.what(), HasSubstr(GetParam().reason));
  EXPECT_EQ(error.where(), candidate.file.string());
}

INSTANTIATE_TEST_SUITE_P(Fakes, RefusedOpened,
                         ::testing::Values(RefusedPlugin{"no-symbol", "does not export 'quoin_plugin'"},
                                           RefusedPlugin{"wrong-magic", "magic number"},
                                           RefusedPlugin{"refuses", "refuses this host"},
                                           RefusedPlugin{"two-names", "different names"},
                                           RefusedPlugin{"short-table", "'launch' is absent"},
                                           RefusedPlugin{"null-entry", "'synchronize' is absent"},
                                           RefusedPlugin{"some-events", "event functions"},
                                           RefusedPlugin{"some-sequences", "sequence functions"},
                                           RefusedPlugin{"maps-only", "memory_map and memory_unmap"}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(Loader, OpensAFileOnce) {
  const Candidate good = inspect_plugin(fake("good"));
  EXPECT_EQ(open_backend(good), open_backend(good));
}

TEST_F(Loader, RefusesTwoFilesOfOneName) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(fake("good"), folder.path() / "good.so");
  open_backend(inspect_plugin(fake("good")));
  const Error error = error_of([&] { open_backend(inspect_plugin(folder.path() / "good.so")); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("already open from '" + fake("good").string()));
}

TEST_F(Loader, PluginsReachTheHostsLog) {
  const LogCapture logged;
  open_backend(inspect_plugin(fake("good")));
  EXPECT_THAT(logged.text(), HasSubstr("hello from the fake"));
}

TEST_F(Loader, ShutsDownInReverseOrder) {
  const TemporaryFolder folder;
  const Variable marker("QUOIN_FAKE_SHUTDOWN", folder.path() / "order");
  open_backend(inspect_plugin(fake("good")));
  open_backend(inspect_plugin(fake("older")));  // no shutdown entry
  open_backend(inspect_plugin(fake("other")));
  shutdown_backends();
  shutdown_backends();
  std::ifstream in(folder.path() / "order");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "other\ngood\n");
}

TEST_F(Loader, DoesNotShutDownWhatIsInUse) {
  const TemporaryFolder folder;
  const Variable marker("QUOIN_FAKE_SHUTDOWN", folder.path() / "order");
  const LogCapture logged;
  const auto queue = executor("good")->queue();  // the executor itself is gone, its queue is not
  shutdown_backends();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "order"));
  EXPECT_THAT(logged.text(), HasSubstr("'good' is still in use"));
}

}  // namespace
}  // namespace quoin
