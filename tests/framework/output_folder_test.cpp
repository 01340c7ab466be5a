#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <functional>

#include "output/result_folder.hpp"
#include "output/vti.hpp"
#include "quoin/error.hpp"
#include "temporary_folder.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

using test::text_of;
using test::write_text;
using testing::_;
using testing::HasSubstr;
using testing::NiceMock;
using testing::SetErrnoAndReturn;

/// The system's calls, of which a test makes one fail.
class MockFiles : public FileSystem {
 public:
  MockFiles() {
    FileSystem& system = system_files();
    ON_CALL(*this, create).WillByDefault([&](int d, const char* n) { return system.create(d, n); });
    ON_CALL(*this, write).WillByDefault([&](int f, const void* b, std::size_t n) { return system.write(f, b, n); });
    ON_CALL(*this, sync).WillByDefault([&](int f) { return system.sync(f); });
    ON_CALL(*this, rename).WillByDefault([&](int d, const char* a, const char* b) { return system.rename(d, a, b); });
    ON_CALL(*this, remove).WillByDefault([&](int d, const char* n) { return system.remove(d, n); });
    ON_CALL(*this, close).WillByDefault([&](int f) { return system.close(f); });
  }
  MOCK_METHOD(int, create, (int, const char*), (override));
  MOCK_METHOD(ssize_t, write, (int, const void*, std::size_t), (override));
  MOCK_METHOD(int, sync, (int), (override));
  MOCK_METHOD(int, rename, (int, const char*, const char*), (override));
  MOCK_METHOD(int, remove, (int, const char*), (override));
  MOCK_METHOD(int, close, (int), (override));
};

class ResultFolderTest : public testing::Test {
 protected:
  static void expect_refusal(ErrorKind kind, const std::string& words, const std::function<void()>& action) {
    try {
      action();
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  }
  /// check() and the constructor refuse alike.
  void expect_refusal(const fs::path& path, bool force, ErrorKind kind, const std::string& words) {
    expect_refusal(kind, words, [&] { ResultFolder::check(path, force); });
    expect_refusal(kind, words, [&] { const ResultFolder folder(path, force); });
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(results)) found.push_back(entry.path().filename().string());
    return found;
  }

  test::TemporaryFolder temporary;
  fs::path results = temporary.path / "a" / "results";
  NiceMock<MockFiles> files;
};

TEST_F(ResultFolderTest, IsCreatedWithItsParents) {
  ResultFolder::check(results, false);
  EXPECT_FALSE(fs::exists(results));
  ResultFolder folder(results / "", false);  // a trailing slash changes nothing
  folder.write_whole("summary.json", {"a", "", "bc"});
  EXPECT_EQ(text_of(results / "summary.json"), "abc");
  EXPECT_THAT(names(), testing::ElementsAre("summary.json"));
}

// row 7
TEST_F(ResultFolderTest, AFolderThatHoldsSomethingNeedsForce) {
  fs::create_directories(results);
  { const ResultFolder empty(results, false); }
  write_text(results / "notes.txt", "mine");
  write_text(results / "history.csv", "old");
  expect_refusal(results, false, ErrorKind::usage, "--force");
  const ResultFolder folder(results, true);
  EXPECT_THAT(names(), testing::ElementsAre("notes.txt"));
}

// row 7
TEST_F(ResultFolderTest, AFileInItsPlaceIsRefused) {
  fs::create_directories(results.parent_path());
  write_text(results, "mine");
  expect_refusal(results, true, ErrorKind::io, "no folder");
  EXPECT_EQ(text_of(results), "mine");
  expect_refusal(results / "below", false, ErrorKind::io, "Not a directory");
}

// row 7
TEST_F(ResultFolderTest, ASymbolicLinkAsTheFolderIsRefused) {
  fs::create_directories(temporary.path / "elsewhere");
  fs::create_directories(results.parent_path());
  fs::create_directory_symlink(temporary.path / "elsewhere", results);
  expect_refusal(results, true, ErrorKind::io, "symbolic link");
  expect_refusal(results / "", true, ErrorKind::io, "symbolic link");
  EXPECT_TRUE(fs::is_empty(temporary.path / "elsewhere"));
}

// row 7
TEST_F(ResultFolderTest, SymbolicLinksInsideAreRefused) {
  fs::create_directories(results);
  write_text(temporary.path / "victim", "untouched");
  fs::create_symlink(temporary.path / "victim", results / "summary.json");
  expect_refusal(results, false, ErrorKind::io, "symbolic link");
  expect_refusal(results, true, ErrorKind::io, "symbolic link");
  EXPECT_EQ(text_of(temporary.path / "victim"), "untouched");
}

// row 7
TEST_F(ResultFolderTest, ALinkPlantedDuringTheRunIsNotFollowed) {
  ResultFolder folder(results, false);
  write_text(temporary.path / "victim", "untouched");
  fs::create_symlink(temporary.path / "victim", results / "summary.json");
  fs::create_symlink(temporary.path / "victim", results / ".summary.json.part");
  fs::create_symlink(temporary.path / "victim", results / "history.csv");
  folder.write_whole("summary.json", {"new"});
  EXPECT_FALSE(fs::is_symlink(results / "summary.json"));
  expect_refusal(ErrorKind::io, "File exists", [&] { (void)folder.grow("history.csv"); });
  EXPECT_EQ(text_of(temporary.path / "victim"), "untouched");
}

// row 7
TEST_F(ResultFolderTest, AHostileSummaryRemovesNothingElsewhere) {
  fs::create_directories(results);
  write_text(temporary.path / "a" / "x.vti", "untouched");
  write_text(results / "summary.json", R"({"fields": ["../x.vti", "notes.txt", 7]})");
  write_text(results / "notes.txt", "mine");
  const ResultFolder folder(results, true);
  EXPECT_THAT(names(), testing::ElementsAre("notes.txt"));
  EXPECT_EQ(text_of(temporary.path / "a" / "x.vti"), "untouched");
}

// row 30
TEST_F(ResultFolderTest, ASecondRunIsRefusedAndTheFirstIsNamed) {
  const ResultFolder folder(results, false);
  expect_refusal(results, true, ErrorKind::io, "process " + std::to_string(getpid()));
}

// row 17
TEST_F(ResultFolderTest, ShortWritesAndInterruptionsAreInvisible) {
  ResultFolder folder(results, false, files);
  int calls = 0;
  EXPECT_CALL(files, write).WillRepeatedly([&calls](int file, const void* bytes, std::size_t) {
    if (calls++ % 2 == 0) {
      errno = EINTR;
      return ssize_t{-1};
    }
    return system_files().write(file, bytes, 1);
  });
  EXPECT_CALL(files, sync).WillOnce(SetErrnoAndReturn(EINTR, -1)).WillRepeatedly([&calls](int file) {
    errno = EINTR;
    return calls++ % 2 == 0 ? -1 : system_files().sync(file);
  });
  folder.write_whole("case.yaml", {"abc", "de"});
  EXPECT_EQ(text_of(results / "case.yaml"), "abcde");
}

// row 16
TEST_F(ResultFolderTest, AFullDiskLeavesTheEarlierFileAndNoPart) {
  ResultFolder folder(results, false, files);
  folder.write_whole("case.yaml", {"old"});
  EXPECT_CALL(files, write).WillOnce(SetErrnoAndReturn(ENOSPC, -1));
  EXPECT_CALL(files, rename).Times(0);
  expect_refusal(ErrorKind::io, "3 bytes: No space left", [&] { folder.write_whole("case.yaml", {"new"}); });
  EXPECT_THAT(names(), testing::ElementsAre("case.yaml"));
  EXPECT_EQ(text_of(results / "case.yaml"), "old");
}

// row 17
TEST_F(ResultFolderTest, AFailedSyncPreventsTheRename) {
  ResultFolder folder(results, false, files);
  EXPECT_CALL(files, sync).WillOnce(SetErrnoAndReturn(EIO, -1));
  EXPECT_CALL(files, rename).Times(0);
  expect_refusal(ErrorKind::io, "Input/output error", [&] { folder.write_whole("case.yaml", {"new"}); });
  EXPECT_TRUE(names().empty());
}

// row 17
TEST_F(ResultFolderTest, AFailedCloseOrRenameLeavesNothing) {
  ResultFolder folder(results, false, files);
  EXPECT_CALL(files, close).WillOnce([](int file) {
    system_files().close(file);
    errno = EIO;
    return -1;
  });
  expect_refusal(ErrorKind::io, "cannot close", [&] { folder.write_whole("case.yaml", {"new"}); });
  EXPECT_CALL(files, close).WillRepeatedly([](int file) { return system_files().close(file); });
  EXPECT_CALL(files, rename).WillOnce(SetErrnoAndReturn(EACCES, -1));
  expect_refusal(ErrorKind::io, "cannot rename", [&] { folder.write_whole("case.yaml", {"new"}); });
  EXPECT_TRUE(names().empty());
}

TEST_F(ResultFolderTest, AGrowingFileGrows) {
  ResultFolder folder(results, false);
  GrowingFile file = folder.grow("history.csv");
  file.write("a\n");
  EXPECT_EQ(text_of(results / "history.csv"), "a\n");
  file.write("b\n");
  file.close();
  EXPECT_EQ(text_of(results / "history.csv"), "a\nb\n");
}

TEST_F(ResultFolderTest, TheVtiFileHoldsTheRawValuesAfterItsHeader) {
  ResultFolder folder(results, false);
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(write_vti(folder, {"u", 3, 2, 0.25, -0.5, 0.25, 0.5, Precision::float32, std::as_bytes(std::span(values))}),
            "u.vti");
  const std::string text = text_of(results / "u.vti");
  EXPECT_THAT(text, HasSubstr("WholeExtent=\"0 2 0 1 0 0\" Origin=\"0.25 -0.5 0\" Spacing=\"0.25 0.5 1\""));
  EXPECT_THAT(text, HasSubstr("type=\"Float32\" Name=\"u\" format=\"appended\" offset=\"0\""));
  EXPECT_THAT(text, HasSubstr("header_type=\"UInt64\""));
  const std::size_t data = text.find("\n_") + 2;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + data, sizeof bytes);
  ASSERT_EQ(bytes, values.size() * sizeof(float));
  EXPECT_EQ(std::memcmp(text.data() + data + sizeof bytes, values.data(), bytes), 0);
  EXPECT_EQ(text.substr(data + sizeof bytes + bytes), "\n  </AppendedData>\n</VTKFile>\n");
}

}  // namespace
}  // namespace quoin
