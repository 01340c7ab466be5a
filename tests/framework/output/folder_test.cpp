#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>

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
    ON_CALL(*this, write_at).WillByDefault([&](int f, const void* b, std::size_t n, off_t o) {
      return system.write_at(f, b, n, o);
    });
    ON_CALL(*this, sync).WillByDefault([&](int f) { return system.sync(f); });
    ON_CALL(*this, rename).WillByDefault([&](int d, const char* a, const char* b) { return system.rename(d, a, b); });
    ON_CALL(*this, remove).WillByDefault([&](int d, const char* n) { return system.remove(d, n); });
    ON_CALL(*this, close).WillByDefault([&](int f) { return system.close(f); });
  }
  MOCK_METHOD(int, create, (int, const char*), (override));
  MOCK_METHOD(ssize_t, write, (int, const void*, std::size_t), (override));
  MOCK_METHOD(ssize_t, write_at, (int, const void*, std::size_t, off_t), (override));
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
  /// Of what lies in the folder beside the list.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(results))
      if (entry.path().filename() != "files.txt") found.push_back(entry.path().filename().string());
    return found;
  }
  /// What the list holds.
  std::string listed() const { return text_of(results / "files.txt"); }

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
  expect_refusal(results, false, ErrorKind::usage, "--force");
  const ResultFolder folder(results, true);
  EXPECT_THAT(names(), testing::ElementsAre("notes.txt"));
}

// row 33
TEST_F(ResultFolderTest, ForceRemovesWhatIsListedAndNothingElse) {
  {
    ResultFolder folder(results, false);
    folder.write_whole("summary.json", {"{}"});
    GrowingFile file = folder.grow("history.csv");
    file.write("a\n");
  }
  EXPECT_THAT(listed(), HasSubstr("\nsummary.json\nhistory.csv\n"));
  for (const char* name : {"case.yaml", "u.vti", "checkpoint-000000000007.h5"}) write_text(results / name, "mine");
  write_text(results / ".summary.json.part", "of a run that was killed");
  const ResultFolder folder(results, true);
  EXPECT_THAT(names(), testing::UnorderedElementsAre("case.yaml", "u.vti", "checkpoint-000000000007.h5"));
}

// row 33
TEST_F(ResultFolderTest, AFileInTheWayIsNamedBeforeAnythingIsRemoved) {
  { ResultFolder(results, false).write_whole("summary.json", {"{}"}); }
  for (const char* name : {"history.csv", "u.vti", "u-000012.csv", "checkpoint-000000000007.json", ".u.vti.part"}) {
    write_text(results / name, "mine");
    const std::vector<std::string> wanted{"summary.json", "history.csv", "u"};
    expect_refusal(ErrorKind::io, "in the way", [&] { ResultFolder::check(results, true, wanted); });
    EXPECT_THAT(names(), testing::UnorderedElementsAre("summary.json", name));
    fs::remove(results / name);
  }
}

// row 33
TEST_F(ResultFolderTest, AFileThatAppearsDuringTheRunIsNotReplaced) {
  ResultFolder folder(results, false);
  write_text(results / "u.vti", "mine");
  write_text(results / "history.csv", "mine");
  expect_refusal(ErrorKind::io, "in the way", [&] { folder.write_whole("u.vti", {"new"}); });
  expect_refusal(ErrorKind::io, "in the way", [&] { (void)folder.grow("history.csv"); });
  EXPECT_EQ(text_of(results / "u.vti") + text_of(results / "history.csv"), "minemine");
  folder.remove("u.vti");
  EXPECT_TRUE(fs::exists(results / "u.vti"));
}

// row 33
TEST_F(ResultFolderTest, ANameIsListedOnTheDiskBeforeItsFileAppears) {
  ResultFolder folder(results, false, files);
  EXPECT_CALL(files, sync).WillOnce(SetErrnoAndReturn(EIO, -1));
  expect_refusal(ErrorKind::io, "Input/output error", [&] { folder.write_whole("case.yaml", {"new"}); });
  EXPECT_TRUE(names().empty());
}

// row 33
TEST_F(ResultFolderTest, AListThatIsNoneOfOursIsRefused) {
  fs::create_directories(results);
  write_text(results / "files.txt", "summary.json\n");
  write_text(results / "summary.json", "mine");
  expect_refusal(ErrorKind::io, "not the list", [&] { const ResultFolder folder(results, true); });
  EXPECT_EQ(text_of(results / "summary.json"), "mine");
}

// row 33
TEST_F(ResultFolderTest, AHostileListRemovesNoOtherFiles) {
  { const ResultFolder folder(results, false); }
  write_text(temporary.path / "a" / "x.vti", "untouched");
  for (const char* name : {"notes.txt", ".bashrc", "u.vt"}) write_text(results / name, "mine");
  write_text(results / "files.txt", listed() + "../x.vti\nnotes.txt\n.bashrc\n..\n\n/etc/passwd\nu.vt");
  const ResultFolder folder(results, true);
  EXPECT_THAT(names(), testing::UnorderedElementsAre("notes.txt", ".bashrc", "u.vt"));
  EXPECT_EQ(text_of(temporary.path / "a" / "x.vti"), "untouched");
}

// row 34
TEST_F(ResultFolderTest, FoldersAndPipesInThePlaceOfFilesAreRefused) {
  { ResultFolder(results, false).write_whole("summary.json", {"{}"}); }
  for (const bool pipe : {false, true}) {
    for (const char* name : {"summary.json", "files.txt"}) {
      fs::remove_all(results / name);
      if (pipe) {
        ASSERT_EQ(mkfifo((results / name).c_str(), 0600), 0);
      } else {
        fs::create_directory(results / name);
      }
      const char* words = pipe ? "a named pipe in the place of a file" : "a folder in the place of a file";
      expect_refusal(ErrorKind::io, words, [&] { const ResultFolder folder(results, true); });
      expect_refusal(ErrorKind::io, words, [&] { (void)ResultFolder::of_earlier_run(results); });
      EXPECT_TRUE(fs::exists(results / name));
      fs::remove(results / name);
      write_text(results / "files.txt", "# Quoin wrote these files; --force removes them.\nsummary.json\n");
    }
  }
}

TEST_F(ResultFolderTest, ARunThatGoesOnKeepsTheList) {
  { ResultFolder(results, false).write_whole("u.vti", {"old"}); }
  write_text(results / "files.txt", listed() + "gone.vti\nkilled.vti\ntorn.vt");
  write_text(results / ".killed.vti.part", "of a run that was killed");
  ResultFolder folder = ResultFolder::of_earlier_run(results);
  EXPECT_THAT(listed(), testing::EndsWith(".\nkilled.vti\nu.vti\n"));
  for (const char* name : {"killed.vti", "u.vti"}) folder.write_whole(name, {"new"});
  EXPECT_EQ(text_of(results / "u.vti"), "new");
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
  folder.claim(std::array<std::string, 1>{"summary.json"});
  write_text(temporary.path / "victim", "untouched");
  fs::create_symlink(temporary.path / "victim", results / "summary.json");
  fs::create_symlink(temporary.path / "victim", results / ".summary.json.part");
  fs::create_symlink(temporary.path / "victim", results / "history.csv");
  folder.write_whole("summary.json", {"new"});
  EXPECT_FALSE(fs::is_symlink(results / "summary.json"));
  expect_refusal(ErrorKind::io, "in the way", [&] { (void)folder.grow("history.csv"); });
  EXPECT_EQ(text_of(temporary.path / "victim"), "untouched");
}

// row 7
TEST_F(ResultFolderTest, AHostileSummaryRemovesNothingElsewhere) {
  fs::create_directories(results);
  write_text(temporary.path / "a" / "x.vti", "untouched");
  const std::string of_a_run = R"("field_sha256": "", "versions": {"quoin": "0.1.0"})";
  write_text(results / "summary.json", "{" + of_a_run + R"(, "fields": ["../x.vti", "notes.txt", 7, "u.vti"]})");
  for (const char* name : {"notes.txt", "u.vti", "other.vti"}) write_text(results / name, "mine");
  const ResultFolder folder(results, true);
  EXPECT_THAT(names(), testing::UnorderedElementsAre("notes.txt", "other.vti"));
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

/// Bytes that are put in an order of their own, some of them twice: what the file must hold in the end.
std::string put_about(const PutAt& put, std::size_t size) {
  std::string whole(size, '.');
  const auto put_both = [&](std::size_t at, const std::string& bytes) {
    whole.replace(at, bytes.size(), bytes);
    put(at, bytes);
  };
  put_both(0, whole);
  put_both(size / 2, "in the middle");
  put_both(size / 2 + 3, "THE");
  put_both(size - 3, "end");
  put_both(0, "start");
  return whole;
}

TEST_F(ResultFolderTest, WhatIsPutInAnyOrderMakesAFileWhetherItIsWrittenAtOnceOrNot) {
  ResultFolder folder(results, false, files);
  std::string whole;
  const auto write = [&](std::size_t size) {
    folder.write_whole("cells.h5", [&](const PutAt& put) { whole = put_about(put, size); });
  };
  folder.claim(std::array<std::string, 1>{"cells.h5"});
  EXPECT_CALL(files, write_at).Times(0);
  EXPECT_CALL(files, write).Times(1);
  write(1 << 20);
  EXPECT_EQ(text_of(results / "cells.h5"), whole);
  EXPECT_CALL(files, write).Times(0);
  int calls = 0;
  EXPECT_CALL(files, write_at).WillRepeatedly([&](int file, const void* bytes, std::size_t count, off_t at) {
    if (calls++ % 2 != 0) return system_files().write_at(file, bytes, (count + 1) / 2, at);  // a short one
    errno = EINTR;
    return ssize_t{-1};
  });
  write((1 << 20) + 1);
  EXPECT_EQ(text_of(results / "cells.h5"), whole);
}

// row 16
TEST_F(ResultFolderTest, AFullDiskAmidWhatIsPutLeavesTheEarlierFileAndNoPart) {
  ResultFolder folder(results, false, files);
  folder.write_whole("cells.h5", {"old"});
  EXPECT_CALL(files, write_at)
      .WillOnce([](int file, const void* bytes, std::size_t count, off_t at) {
        return system_files().write_at(file, bytes, count, at);
      })
      .WillOnce(SetErrnoAndReturn(ENOSPC, -1));
  EXPECT_CALL(files, rename).Times(0);
  expect_refusal(ErrorKind::io, "13 bytes from byte 1000000: No space left",
                 [&] { folder.write_whole("cells.h5", [](const PutAt& put) { (void)put_about(put, 2'000'000); }); });
  EXPECT_EQ(text_of(results / "cells.h5"), "old");
  EXPECT_THAT(names(), testing::ElementsAre("cells.h5"));
}

// row 17
TEST_F(ResultFolderTest, AFailedSyncPreventsTheRename) {
  ResultFolder folder(results, false, files);
  folder.claim(std::array<std::string, 1>{"case.yaml"});
  EXPECT_CALL(files, sync).WillOnce(SetErrnoAndReturn(EIO, -1));
  EXPECT_CALL(files, rename).Times(0);
  expect_refusal(ErrorKind::io, "Input/output error", [&] { folder.write_whole("case.yaml", {"new"}); });
  EXPECT_TRUE(names().empty());
}

// row 17
TEST_F(ResultFolderTest, AFailedCloseOrRenameLeavesNothing) {
  ResultFolder folder(results, false, files);
  folder.claim(std::array<std::string, 1>{"case.yaml"});
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

// row 19
TEST_F(ResultFolderTest, AListForWhichThereIsNoMemoryLeavesNothing) {
  EXPECT_CALL(files, sync).WillOnce(testing::Throw(std::bad_alloc()));
  EXPECT_THROW(ResultFolder(results, false, files), std::bad_alloc);
  EXPECT_TRUE(fs::is_empty(results));
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
  EXPECT_EQ((data + sizeof bytes) % sizeof(double), 0U) << "who maps the file has values that are not aligned";
  EXPECT_EQ(text.substr(data + sizeof bytes + bytes), "\n  </AppendedData>\n</VTKFile>\n");
}

}  // namespace
}  // namespace quoin
