#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "framework/plugin/testing.hpp"
#include "quoin/words.hpp"

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
  const auto told = [](const char* text) {
    ::testing::internal::CaptureStderr();
    log().warn(text);
    return ::testing::internal::GetCapturedStderr();
  };
  log_over_bar(true);
  EXPECT_EQ(told("look"), "\r\x1b[Kwarning: look\n");
  log_over_bar(false);
  EXPECT_EQ(told("look again"), "warning: look again\n");
}

TEST(Log, ShowsAWarningOnceAndWritesEach) {
  const testing::TemporaryFolder folder;
  log_to(folder.path() / "run.log");
  ::testing::internal::CaptureStderr();
  for (int k = 0; k < 3; ++k) log().warn("the same");
  for (int k = 0; k < 2; ++k) log().error("no warning");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: the same\nerror: no warning\nerror: no warning\n");
  log_to({});
  const std::string file = content(folder.path() / "run.log");
  EXPECT_NE(file.find("the same"), file.rfind("the same"));
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

// row 34
TEST(Log, WaitsForNoPipe) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder.path() / "run.log").c_str(), 0600), 0);
  const Error error = testing::error_of([&] { log_to(folder.path() / "run.log"); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_THAT(error.what(), HasSubstr("a named pipe in the place of a file"));
}

// row 35
TEST(Log, EscapesWhatATerminalWouldObey) {
  const testing::TemporaryFolder folder;
  log_to(folder.path() / "run.log");
  ::testing::internal::CaptureStderr();
  log().warn(
      "\x1b[2Ja\rb\xc2\x9b"
      "c\xe2\x80\xae"
      "dé");
  log_to({});
  constexpr const char* safe = "warning: \\u001b[2Ja\\u000db\\u009bc\\u202edé\n";
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), safe);
  EXPECT_THAT(content(folder.path() / "run.log"), HasSubstr(safe));
}

// row 35
TEST(Printable, KeepsTextAndEscapesTheRest) {
  const std::string text = "äπ\t€\n𝄞 'x' \\u001b";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable("a\nb\tc", /*one_line=*/true), "a\\u000ab\\u0009c");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\u0000\\u007f");
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "\\xffa\\xc3");                                 // no UTF-8
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half a surrogate
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\u2066");          // turns round what follows
}

TEST(Log, SaysThatAFileCannotBeOpened) {
  const Error error = testing::error_of([] { log_to("/nonexistent/run.log"); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_EQ(error.where(), "/nonexistent/run.log");
}

}  // namespace
}  // namespace quoin
