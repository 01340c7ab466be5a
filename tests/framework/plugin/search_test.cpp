// Which plugins are found, and which are refused before anything is opened (faults 23 and 25).

#include <dlfcn.h>

#include <fstream>

#include "plugin/manifest.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using testing::fake;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LogCapture;
using ::testing::Not;
using testing::TemporaryFolder;
using testing::Variable;

TEST(Manifest, IsReadWithoutOpening) {
  const TemporaryFolder folder;
  const Variable marker("QUOIN_FAKE_MARKER", folder.path() / "opened");
  const Candidate good = inspect_plugin(fake("good"));
  EXPECT_THAT(good.refusal, IsEmpty());
  EXPECT_EQ(good.name, "good");
  EXPECT_EQ(good.version, "1.2.3");
  EXPECT_EQ(good.toolchain, "cc");
  EXPECT_FALSE(fs::exists(folder.path() / "opened"));

  // The marker does appear when the object is opened.
  ASSERT_NE(system_opener().open(fake("other-major")), nullptr);
  EXPECT_TRUE(fs::exists(folder.path() / "opened"));
}

TEST(Manifest, DescribesKeys) {
  const Candidate good = inspect_plugin(fake("good"));
  ASSERT_EQ(good.keys.size(), 2U);
  EXPECT_EQ(good.keys[0].path, "order");
  EXPECT_EQ(good.keys[0].backend, "good");
  EXPECT_EQ(good.keys[0].type, KeyType::choice);
  EXPECT_EQ(good.keys[0].fallback, "up");
  EXPECT_THAT(good.keys[0].choices, ElementsAre("up", "down"));
  EXPECT_EQ(good.keys[0].meaning, "which way");
  EXPECT_EQ(good.keys[1].type, KeyType::integer);
  EXPECT_EQ(good.keys[1].fallback, "3");
  EXPECT_EQ(good.keys[1].minimum, 1.0);
  EXPECT_EQ(good.keys[1].maximum, 9.0);
  EXPECT_EQ(good.keys[1].unit, "layers");
}

struct Text {
  const char* text;
  const char* refusal;
};

class BadManifest : public ::testing::TestWithParam<Text> {};

// row 23
TEST_P(BadManifest, IsRefused) {
  const Error error = error_of([] { parse_manifest(GetParam().text); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr(GetParam().refusal));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadManifest,
    ::testing::Values(
        Text{"", "cannot be read"}, Text{"{\"name\":", "cannot be read"}, Text{"[]", "cannot be read"},
        Text{"\xff\xfe", "cannot be read"}, Text{R"({"abi":[1]})", "[major, minor]"},
        Text{R"({"abi":[1e300,0]})", "[major, minor]"}, Text{R"({"abi":[1,9999999999]})", "[major, minor]"},
        Text{R"({"abi":"1.0","name":"a"})", "[major, minor]"}, Text{R"({"abi":[1,0],"name":"../a"})", "a name"},
        Text{R"({"abi":[1,0],"name":""})", "a name"}, Text{R"({"abi":[1,0],"name":"a"})", "kernels"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":{}})", "cannot be read"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"colour"}]})", "unknown type 'colour'"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"name","type":"text"}]})", "cannot be called"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"choice"}]})", "choices"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"integer","maximum":4,"tune":[2,8]}]})",
             "cannot be tuned to 8"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"integer","tune":[2,"8"]}]})",
             "cannot be tuned to \"8\""},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"integer","tune":[2,2.5]}]})",
             "cannot be tuned to 2.5"},
        Text{
            R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"choice","choices":["a","b"],"tune":["a","c"]}]})",
            "cannot be tuned to"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"text","tune":["a","b"]}]})",
             "cannot be tuned to"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"integer","tune":[2]}]})",
             "two values or more"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"integer","default":2,"tune":[2,4]}]})",
             "no default"},
        Text{R"({"abi":[1,0],"name":"a","kernels":"x","keys":[{"key":"k","type":"integer","tune":2}]})",
             "cannot be read"}));

// row 23
TEST(Manifest, NestedWithoutEndIsRefused) {
  EXPECT_EQ(error_of([] { parse_manifest(std::string(1000000, '[')); }).kind(), ErrorKind::plugin);
}

struct Refused {
  const char* name;
  const char* reason;
};

class RefusedUnopened : public ::testing::TestWithParam<Refused> {};

// row 23
TEST_P(RefusedUnopened, WithTheReason) {
  const TemporaryFolder folder;
  const Variable marker("QUOIN_FAKE_MARKER", folder.path() / "opened");
  const Candidate candidate = inspect_plugin(fake(GetParam().name));
  EXPECT_EQ(candidate.name, GetParam().name);
  EXPECT_THAT(candidate.refusal, HasSubstr(GetParam().reason));
  const Error error = error_of([&] { open_backend(candidate); });
  EXPECT_EQ(error.exit_code(), 8);
  EXPECT_THAT(error.what(), HasSubstr(GetParam().reason));
  EXPECT_THAT(error.where(), HasSubstr(fake(GetParam().name).string()));
  EXPECT_THAT(probe_plugin(candidate).reason, HasSubstr(GetParam().reason));
  EXPECT_FALSE(fs::exists(folder.path() / "opened"));
}

INSTANTIATE_TEST_SUITE_P(Fakes, RefusedUnopened,
                         ::testing::Values(Refused{"no-manifest", "no section"},
                                           Refused{"other-major", "version 2 of the plugin boundary"},
                                           Refused{"other-kernels", "other kernel bodies"},
                                           Refused{"bad-key", "unknown type 'colour'"}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           name.erase(name.find('-'), 1);
                           return name;
                         });

// row 23
TEST(Inspect, FilesThatAreNoPlugins) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "text.so") << "not ELF";
  std::ofstream(folder.path() / "empty.so");
  fs::create_directory(folder.path() / "folder.so");
  fs::create_symlink("nowhere", folder.path() / "dangling.so");
  ASSERT_EQ(::mkfifo((folder.path() / "fifo.so").c_str(), 0600), 0);
  EXPECT_THAT(inspect_plugin(folder.path() / "text.so").refusal, HasSubstr("not an ELF"));
  EXPECT_THAT(inspect_plugin(folder.path() / "empty.so").refusal, HasSubstr("not an ELF"));
  EXPECT_THAT(inspect_plugin(folder.path() / "folder.so").refusal, HasSubstr("not a regular file"));
  EXPECT_THAT(inspect_plugin(folder.path() / "dangling.so").refusal, HasSubstr("cannot be found"));
  EXPECT_THAT(inspect_plugin(folder.path() / "fifo.so").refusal, HasSubstr("not a regular file"));
  EXPECT_THAT(inspect_plugin(folder.path() / "absent.so").refusal, HasSubstr("cannot be found"));
}

// row 23
TEST(Inspect, EveryTruncationIsRefusedOrWhole) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "good.so";
  const std::size_t size = fs::file_size(fake("good"));
  for (std::size_t bytes = 0; bytes < size; bytes += 509) {
    fs::copy_file(fake("good"), file, fs::copy_options::overwrite_existing);
    fs::resize_file(file, bytes);
    EXPECT_THAT(inspect_plugin(file).refusal, Not(IsEmpty())) << bytes;  // the section headers lie at the end
  }
}

// row 25
TEST(Trust, FilesAndFoldersThatOthersMayWriteAreRefused) {
  const TemporaryFolder place;
  for (const mode_t mode : {0757U, 0775U, 01777U}) {
    const fs::path folder = place.folder("open", mode);
    fs::copy_file(fake("good"), folder / "good.so", fs::copy_options::overwrite_existing);
    const Candidate candidate = inspect_plugin(folder / "good.so");
    EXPECT_THAT(candidate.refusal, HasSubstr("may be written by others ('" + folder.string() + "')"));
    EXPECT_EQ(error_of([&] { open_backend(candidate); }).exit_code(), 8);
  }
  const fs::path folder = place.folder("safe");
  fs::copy_file(fake("good"), folder / "good.so");
  EXPECT_THAT(inspect_plugin(folder / "good.so").refusal, IsEmpty());
  ASSERT_EQ(::chmod((folder / "good.so").c_str(), 0666), 0);
  EXPECT_THAT(inspect_plugin(folder / "good.so").refusal, HasSubstr("may be written by others"));
}

// row 25
TEST(Trust, AFolderBelowAnOpenOneIsRefused) {
  const TemporaryFolder place;
  const fs::path open = place.folder("open", 0777);
  const fs::path inside = place.folder("open/inside");
  fs::copy_file(fake("good"), inside / "good.so");
  EXPECT_THAT(inspect_plugin(inside / "good.so").refusal, HasSubstr("below a folder that others may write"));
  ASSERT_EQ(::chmod(open.c_str(), 01777), 0);  // sticky: others cannot exchange `inside`
  EXPECT_THAT(inspect_plugin(inside / "good.so").refusal, IsEmpty());
}

// row 25
TEST(Trust, LinksIntoOpenFoldersAreRefused) {
  const TemporaryFolder place;
  const fs::path open = place.folder("open", 0777);
  const fs::path safe = place.folder("safe");
  const fs::path links = place.folder("links");
  fs::copy_file(fake("good"), open / "good.so");
  fs::copy_file(fake("good"), safe / "good.so");

  fs::create_symlink(open / "good.so", links / "file.so");
  EXPECT_THAT(inspect_plugin(links / "file.so").refusal, HasSubstr(open.string() + "')"));
  fs::create_directory_symlink(open, links / "folder");
  EXPECT_THAT(inspect_plugin(links / "folder" / "good.so").refusal, HasSubstr(open.string() + "')"));
  // A chain whose middle lies in the open folder.
  fs::create_symlink("../safe/good.so", open / "middle.so");
  fs::create_symlink("../open/middle.so", links / "chain.so");
  EXPECT_THAT(inspect_plugin(links / "chain.so").refusal, HasSubstr(open.string() + "')"));

  fs::create_symlink("../safe/good.so", links / "fine.so");
  const Candidate fine = inspect_plugin(links / "fine.so");
  EXPECT_THAT(fine.refusal, IsEmpty());
  EXPECT_EQ(fine.file, safe / "good.so");
}

TEST(Folders, GivenThenEnvironmentThenBesideTheLibrary) {
  const TemporaryFolder place;
  const fs::path a = place.folder("a");
  const fs::path b = place.folder("b");
  const Variable path("QUOIN_PLUGIN_PATH", b.string() + ":" + a.string());
  const std::vector<fs::path> folders = plugin_folders({a});
  ASSERT_GE(folders.size(), 2U);
  EXPECT_EQ(folders[0], a);
  EXPECT_EQ(folders[1], b);
  if (folders.size() > 2) {
    EXPECT_EQ(folders.back(), fs::canonical(QUOIN_PLUGIN_DIR));
  }
}

// row 25
TEST(Folders, TheWorkingDirectoryIsNeverSearched) {
  const TemporaryFolder place;
  fs::copy_file(fake("good"), place.path() / "good.so");
  const fs::path before = fs::current_path();
  fs::current_path(place.path());
  for (const char* value : {":", "::", ".", "./", ".:"}) {
    const Variable path("QUOIN_PLUGIN_PATH", value);
    const LogCapture logged;
    EXPECT_THAT(plugin_folders({}), Not(Contains(place.path()))) << value;
    EXPECT_THAT(logged.text(), HasSubstr("is ignored")) << value;
  }
  {
    const LogCapture logged;
    EXPECT_THAT(plugin_folders({""}), Not(Contains(place.path())));
    EXPECT_THAT(logged.text(), HasSubstr("working directory"));
  }
  fs::current_path(before);
}

// row 25
TEST(Trust, LibrariesFromTheWorkingDirectoryAreRefused) {
  const TemporaryFolder place;
  const fs::path before = fs::current_path();
  fs::current_path(place.path());
  const Candidate candidate = inspect_plugin(fake("good"));
  EXPECT_THAT(candidate.refusal, IsEmpty());
  for (const char* value : {":", "/usr/lib:", "."}) {
    const Variable path("LD_LIBRARY_PATH", value);
    fs::remove("libc.so.6");
    EXPECT_THAT(inspect_plugin(fake("good")).refusal, IsEmpty()) << value;  // nothing lies there
    std::ofstream("libc.so.6") << "planted";
    EXPECT_THAT(inspect_plugin(fake("good")).refusal, HasSubstr("needs libc.so.6")) << value;
  }
  EXPECT_THAT(inspect_plugin(fake("good")).refusal, IsEmpty());
  EXPECT_THAT(inspect_plugin(fake("needs-it-here")).refusal, HasSubstr("its RUNPATH would take"));
  fs::remove("libc.so.6");
  EXPECT_THAT(inspect_plugin(fake("needs-it-here")).refusal, IsEmpty());
  fs::current_path(before);
}

TEST(Folders, AbsentOnesAreSaid) {
  const LogCapture logged;
  EXPECT_THAT(plugin_folders({"/nonexistent/quoin"}), Not(Contains(fs::path("/nonexistent/quoin"))));
  EXPECT_THAT(logged.text(), HasSubstr("'/nonexistent/quoin' is ignored: No such file"));
}

TEST(Find, TheFirstFolderWinsAndOthersAreShadowed) {
  const TemporaryFolder place;
  const fs::path a = place.folder("a");
  const fs::path b = place.folder("b");
  fs::copy_file(fake("good"), a / "good.so");
  fs::copy_file(fake("good"), b / "renamed.so");
  fs::copy_file(fake("other"), b / "other.so");
  std::ofstream(a / "notes.txt") << "not looked at";
  const std::vector<Candidate> found = find_plugins({a, b});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_THAT(found[0].refusal, IsEmpty());
  EXPECT_EQ(found[1].name, "other");
  EXPECT_THAT(found[1].refusal, IsEmpty());
  EXPECT_EQ(found[2].name, "good");
  EXPECT_EQ(found[2].refusal, "is shadowed by '" + (a / "good.so").string() + "'");
  EXPECT_EQ(find_backend("good", found).file, a / "good.so");
}

// row 23
TEST(Find, ABrokenPluginLeavesTheOthers) {
  const TemporaryFolder place;
  const fs::path a = place.folder("a");
  const fs::path b = place.folder("b");
  std::ofstream(a / "good.so") << "broken";
  fs::copy_file(fake("good"), b / "good.so");
  const std::vector<Candidate> found = find_plugins({a, b});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].refusal, HasSubstr("not an ELF"));
  const LogCapture logged;
  EXPECT_EQ(find_backend("good", found).file, b / "good.so");
  EXPECT_THAT(logged.text(), HasSubstr("in place of"));
}

}  // namespace
}  // namespace quoin
