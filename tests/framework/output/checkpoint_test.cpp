#include <gmock/gmock.h>

#include <array>

#include "output/checkpoint_files.hpp"
#include "output/checkpoint_index.hpp"
#include "quoin/error.hpp"
#include "temporary_folder.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

using test::text_of;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;

class CheckpointTest : public testing::Test {
 protected:
  static Checkpoint example(const std::string& text) {
    Checkpoint checkpoint;
    checkpoint.put_text("case", text);
    checkpoint.put("u", std::as_bytes(std::span(values)));
    return checkpoint;
  }
  /// Writes one with that text, as a run does.
  void write(std::int64_t iteration, const std::string& text, std::size_t keep = 2) {
    write_checkpoint(*result_, example(text), iteration, keep);
  }
  /// What is wrong with a folder without a valid one.
  std::string refusal() const {
    try {
      const FoundCheckpoint found = newest_checkpoint(folder_.path);
      ADD_FAILURE() << "accepted " << found.name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::checkpoint);
      return error.what();
    }
    return {};
  }
  [[nodiscard]] fs::path file(const char* name) const { return folder_.path / name; }

  static constexpr std::array values{1.5, -2.0, 1e300};
  test::TemporaryFolder folder_;
  std::unique_ptr<ResultFolder> result_ = std::make_unique<ResultFolder>(folder_.path, true);
};

TEST_F(CheckpointTest, GivesBackWhatItWasGiven) {
  Checkpoint read(example("problem: x").image());
  EXPECT_EQ(read.text("case"), "problem: x");
  std::array<double, 3> back{};
  read.get("u", std::as_writable_bytes(std::span(back)));
  EXPECT_EQ(back, values);
  EXPECT_EQ(example("x").image(), example("x").image());
  std::array<double, 2> fewer{};
  EXPECT_THROW(read.get("u", std::as_writable_bytes(std::span(fewer))), Error);
  EXPECT_THROW(read.get("v", std::as_writable_bytes(std::span(back))), Error);
  EXPECT_THROW(Checkpoint("no HDF5 file"), Error);
}

TEST_F(CheckpointTest, KeepsTheNewest) {
  for (const std::int64_t iteration : {100, 200, 1000}) write(iteration, std::to_string(iteration));
  EXPECT_EQ(newest_checkpoint(folder_.path).checkpoint.text("case"), "1000");
  EXPECT_FALSE(fs::exists(file("checkpoint-000000000100.h5")));
  EXPECT_FALSE(fs::exists(file("checkpoint-000000000100.json")));
  EXPECT_TRUE(fs::exists(file("checkpoint-000000000200.h5")));
}

// row 33
TEST_F(CheckpointTest, NeitherTakesNorRemovesCopies) {
  write(100, "100");
  const auto copy = [&](const std::string& stem) {
    for (const char* ending : {".h5", ".json"})
      fs::copy_file(file("checkpoint-000000000100").string() + ending, file(stem.c_str()).string() + ending);
  };
  const std::vector<std::string> copies{"checkpoint-backup", "checkpoint-999", "checkpoint-0000000000200",
                                        "checkpoint-000000000200 (copy)"};
  for (const std::string& stem : copies) copy(stem);
  EXPECT_EQ(newest_checkpoint(folder_.path).name, "checkpoint-000000000100.h5");
  copy("checkpoint-000000000050");  // whose name could be its own, but no run wrote it here
  for (const std::int64_t iteration : {std::int64_t{200}, std::int64_t{300}, std::int64_t{1'000'000'000'000}})
    write(iteration, std::to_string(iteration), 1);
  EXPECT_EQ(newest_checkpoint(folder_.path).checkpoint.text("case"), "1000000000000");
  EXPECT_FALSE(fs::exists(file("checkpoint-000000000100.h5")));
  EXPECT_TRUE(fs::exists(file("checkpoint-000000000050.h5")));
  for (const std::string& stem : copies) EXPECT_TRUE(fs::exists(file((stem + ".h5").c_str()))) << stem;
}

// row 14
TEST_F(CheckpointTest, FallsBackFromOneOfWhichAnyBitIsFlipped) {
  write(1, "old");
  write(2, "new");
  const fs::path newest = file("checkpoint-000000000002.h5");
  const std::string whole = text_of(newest);
  std::string flipped = whole;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    write_text(newest, flipped);
    const FoundCheckpoint found = newest_checkpoint(folder_.path);
    ASSERT_EQ(found.checkpoint.text("case"), "old") << "bit " << bit;
    ASSERT_THAT(found.passed_over, ElementsAre("checkpoint-000000000002.h5: its checksum is wrong"));
    flipped[bit / 8] = whole[bit / 8];
  }
  write_text(newest, whole);
  EXPECT_EQ(newest_checkpoint(folder_.path).checkpoint.text("case"), "new");
}

// row 14
TEST_F(CheckpointTest, FallsBackFromOneThatIsTorn) {
  write(1, "old");
  write(2, "new");
  const fs::path newest = file("checkpoint-000000000002.h5");
  const std::string whole = text_of(newest);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_text(newest, whole.substr(0, length));
    ASSERT_EQ(newest_checkpoint(folder_.path).checkpoint.text("case"), "old") << length << " bytes";
  }
  write_text(newest, whole + "x");
  EXPECT_EQ(newest_checkpoint(folder_.path).checkpoint.text("case"), "old");
}

// row 14
TEST_F(CheckpointTest, FallsBackFromAnIndexOfWhichAnyBitIsFlipped) {
  write(1, "old");
  write(2, "new");
  const fs::path index = file("checkpoint-000000000002.json");
  const std::string whole = text_of(index);
  std::string flipped = whole;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    write_text(index, flipped);
    // A bit that changes only white space leaves it as good as it was.
    const FoundCheckpoint found = newest_checkpoint(folder_.path);
    ASSERT_EQ(found.checkpoint.text("case"), found.passed_over.empty() ? "new" : "old") << "bit " << bit;
    flipped[bit / 8] = whole[bit / 8];
  }
}

// row 14
TEST_F(CheckpointTest, NamesEveryOneThatCannotBeUsed) {
  EXPECT_THAT(refusal(), HasSubstr("there is no checkpoint"));
  write(1, "one");
  write(2, "two");
  write_text(file("checkpoint-000000000001.h5"), "");
  write_text(file("checkpoint-000000000002.json"), R"({"version":7,"bytes":1,"sha256":""})");
  EXPECT_THAT(refusal(), HasSubstr("checkpoint-000000000001.h5: it has 0 bytes where "));
  EXPECT_THAT(refusal(), HasSubstr("checkpoint-000000000002.h5: its index has version 7 where this program knows 3"));
  fs::remove(file("checkpoint-000000000001.json"));
  EXPECT_THAT(refusal(), HasSubstr("checkpoint-000000000001.h5: it is not there, or no file"));
}

TEST_F(CheckpointTest, RefusesWhatIsNoIndex) {
  for (const char* text : {"", "{", "[]", "7", "null", "{}", R"({"version":1,"bytes":-1,"sha256":"a"})",
                           R"({"version":1,"bytes":1.5,"sha256":"a"})", R"({"version":1,"bytes":1,"sha256":7})",
                           R"({"version":"1","bytes":1,"sha256":"a"})"})
    EXPECT_THROW(parse_checkpoint_index(text), Error) << text;
  for (const char* arrays : {"7", "{}", "[7]", R"([{"name":"u","bytes":1}])", R"([{"bytes":1,"sha256":"a"}])",
                             R"([{"name":"../u","bytes":1,"sha256":"a"}])", R"([{"name":"","bytes":1,"sha256":"a"}])"})
    EXPECT_THROW(parse_checkpoint_index(R"({"version":2,"bytes":1,"sha256":"a","arrays":)" + std::string(arrays) + "}"),
                 Error)
        << arrays;
  EXPECT_THROW(parse_checkpoint_index(R"({"version":2,"bytes":1,"sha256":"a"})"), Error);
  EXPECT_THROW(parse_checkpoint_index(R"({"version":0,"bytes":1,"sha256":"a"})"), Error);
  for (const char* part :
       {"7", "{}", R"({"ranges":7,"count":1,"stride":0,"sha256":"a"})", R"({"ranges":[],"count":1,"stride":0})",
        R"({"ranges":[[1]],"count":1,"stride":0,"sha256":"a"})",
        R"({"ranges":[[0,-1]],"count":1,"stride":0,"sha256":"a"})",
        R"({"ranges":[[7,2]],"count":1,"stride":0,"sha256":"a"})",
        R"({"ranges":[[0,2]],"count":5,"stride":2,"sha256":"a"})",
        R"({"ranges":[[0,1]],"count":0,"stride":0,"sha256":"a"})",
        R"({"ranges":[[18446744073709551615,2]],"count":1,"stride":0,"sha256":"a"})",
        R"({"ranges":[[0,1]],"count":9,"stride":18446744073709551615,"sha256":"a"})"})
    EXPECT_THROW(
        parse_checkpoint_index(R"({"version":3,"bytes":1,"sha256":"a","arrays":[{"name":"u","bytes":8,"parts":[)" +
                               std::string(part) + "]}]}"),
        Error)
        << part;
}

TEST_F(CheckpointTest, KnowsIndexesOfEarlierVersions) {
  EXPECT_EQ(parse_checkpoint_index(R"({"version":1,"bytes":7,"sha256":"a"})").bytes, 7U);
  const auto arrays = parse_checkpoint_index(R"({"version":2,"bytes":7,"sha256":"a",)"
                                             R"("arrays":[{"name":"u","bytes":9,"sha256":"b"}]})")
                          .arrays;
  ASSERT_EQ(arrays.size(), 1U);
  ASSERT_EQ(arrays[0].parts.size(), 1U);
  EXPECT_EQ(arrays[0].parts[0].part.bytes(), 9U);
  EXPECT_EQ(arrays[0].parts[0].sha256, "b");
}

/// With an array in a file of its own.
class CheckpointParts : public CheckpointTest {
 protected:
  void write(std::int64_t iteration, std::size_t announced = 30) {
    Checkpoint checkpoint = example(std::to_string(iteration));
    const auto alone = one_process();
    checkpoint.put_parts("long", announced, [&](RankFiles& files) {
      return write_parts(*alone, &files, {{{0, announced}}}, [](const TakeBytes& take) {
        std::byte next{0};
        for (const std::size_t bytes : {7, 0, 23}) {
          std::vector<std::byte> piece(bytes);
          for (std::byte& byte : piece) byte = next = std::byte(std::to_integer<int>(next) + 1);
          take(piece);
        }
      });
    });
    write_checkpoint(*result_, checkpoint, iteration, 2);
  }
  [[nodiscard]] static int at(Checkpoint& read, std::size_t offset) {
    std::byte one{};
    read.get_part("long", 30, offset, std::span(&one, 1));
    return std::to_integer<int>(one);
  }
};

TEST_F(CheckpointParts, AreReadInAnyOrder) {
  write(7);
  Checkpoint read = newest_checkpoint(folder_.path).checkpoint;
  for (const std::size_t offset : {29, 0, 6, 7, 29}) EXPECT_EQ(at(read, offset), static_cast<int>(offset) + 1);
  std::array<std::byte, 30> all{};
  read.get("long", all);
  EXPECT_EQ(std::to_integer<int>(all.back()), 30);
  EXPECT_THROW(read.get("long", std::span(all).first(29)), Error);
  EXPECT_THROW(read.get_part("long", 30, 25, std::span(all).first(6)), Error);
  EXPECT_THROW(read.get_part("u", 25, 0, std::span(all).first(6)), Error);
  std::array<double, 1> second{};
  read.get_part("u", sizeof values, sizeof(double), std::as_writable_bytes(std::span(second)));
  EXPECT_EQ(second[0], values[1]);
}

TEST_F(CheckpointParts, StayThereForWhoReadsThem) {
  write(7);
  Checkpoint read = newest_checkpoint(folder_.path).checkpoint;
  for (const std::int64_t iteration : {8, 9, 10}) write(iteration);
  EXPECT_FALSE(fs::exists(file("checkpoint-000000000007-long.bin")));
  EXPECT_EQ(at(read, 20), 21);
}

TEST_F(CheckpointParts, GoWithTheirCheckpoint) {
  for (const std::int64_t iteration : {1, 2, 3}) write(iteration);
  EXPECT_FALSE(fs::exists(file("checkpoint-000000000001-long.bin")));
  EXPECT_TRUE(fs::exists(file("checkpoint-000000000002-long.bin")));
}

// row 14
TEST_F(CheckpointParts, FallBackWhereTheyAreTornFlippedOrMissing) {
  write(1);
  write(2);
  const fs::path newest = file("checkpoint-000000000002-long.bin");
  const std::string whole = text_of(newest);
  const auto expect_passed_over = [&](const char* reason) {
    const FoundCheckpoint found = newest_checkpoint(folder_.path);
    EXPECT_EQ(found.name, "checkpoint-000000000001.h5");
    EXPECT_THAT(found.passed_over, ElementsAre(HasSubstr(reason)));
  };
  std::string flipped = whole;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    write_text(newest, flipped);
    expect_passed_over("the checksum of its array 'long' is wrong");
    flipped[bit / 8] = whole[bit / 8];
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_text(newest, whole.substr(0, length));
    expect_passed_over("bytes where 30 are right");
  }
  fs::remove(newest);
  expect_passed_over("its array 'long' is not there, or no file");
  fs::create_symlink(file("checkpoint-000000000001-long.bin"), newest);
  expect_passed_over("its array 'long' is not there, or no file");
}

TEST_F(CheckpointParts, AreAsManyBytesAsWereAnnounced) {
  for (const std::size_t announced : {29, 31}) {
    EXPECT_THROW(write(5, announced), Error);
    EXPECT_FALSE(fs::exists(file("checkpoint-000000000005.json")));
    EXPECT_FALSE(fs::exists(file("checkpoint-000000000005-long.bin")));
  }
}

TEST_F(CheckpointParts, HaveNamesOfTheirOwn) {
  for (const char* name : {"checkpoint-000000000100-u.bin", "checkpoint-1000000000000-long.bin",
                           "checkpoint-000000000100-u_0.bin", "checkpoint-000000000100-u_100000.bin"})
    EXPECT_TRUE(is_checkpoint_name(name)) << name;
  for (const char* name :
       {"checkpoint-000000000100-.bin", "checkpoint-000000000100.bin", "checkpoint-100-u.bin",
        "checkpoint-000000000100-u2.bin", "checkpoint-000000000100-u.h5", "checkpoint-000000000100-u-v.bin",
        "checkpoint-backup-u.bin", "checkpoint-000000000100-u-1.bin", "checkpoint-000000000100-u_1_2.bin"})
    EXPECT_FALSE(is_checkpoint_name(name)) << name;
}

}  // namespace
}  // namespace quoin
