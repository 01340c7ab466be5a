#include <fstream>
#include <iterator>

#include "framework/plugin_testing.hpp"

namespace quoin {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Log, GoesToTheFileWhileThereIsOne) {
  const testing::TemporaryFolder folder;
  log().info("before");
  log_to(folder.path() / "run.log");
  log().debug("during");
  EXPECT_THAT(content(folder.path() / "run.log"), HasSubstr("debug: during\n"));  // at once, without a flush
  log_to({});
  log().info("after");
  EXPECT_THAT(content(folder.path() / "run.log"), Not(HasSubstr("before")));
  EXPECT_THAT(content(folder.path() / "run.log"), Not(HasSubstr("after")));
}

TEST(Log, ErasesABarFirstWhileThereIsOne) {
  const auto told = [] {
    ::testing::internal::CaptureStderr();
    log().warn("look");
    return ::testing::internal::GetCapturedStderr();
  };
  log_over_bar(true);
  EXPECT_EQ(told(), "\r\x1b[Kwarning: look\n");
  log_over_bar(false);
  EXPECT_EQ(told(), "warning: look\n");
}

// row 7
TEST(Log, FollowsNoLink) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "precious") << "kept";
  std::filesystem::create_symlink("precious", folder.path() / "run.log");
  const Error error = testing::error_of([&] { log_to(folder.path() / "run.log"); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_EQ(content(folder.path() / "precious"), "kept");
}

TEST(Log, SaysThatAFileCannotBeOpened) {
  const Error error = testing::error_of([] { log_to("/nonexistent/run.log"); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_EQ(error.where(), "/nonexistent/run.log");
}

}  // namespace
}  // namespace quoin
