#include "quoin/parts.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <mutex>
#include <numeric>

#include "base/sha256.hpp"
#include "output/checkpoint_files.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/testing/thread_ranks.hpp"
#include "temporary_folder.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

using test::text_of;
using test::write_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::run_ranks;

TEST(ArrayPart, LiesInAnArray) {
  const ArrayPart part{{{2, 3}, {7, 1}}, 3, 10};
  EXPECT_EQ(part.bytes(), 12U);
  EXPECT_TRUE(part.fits(28));
  EXPECT_FALSE(part.fits(27));
  EXPECT_TRUE(ArrayPart{}.fits(0));
  EXPECT_FALSE((ArrayPart{{{0, 1}}, 0, 0}.fits(5)));
  EXPECT_FALSE((ArrayPart{{{0, 1}}, 2, 0}.fits(5)));
  EXPECT_FALSE((ArrayPart{{{~0ULL, 2}}, 1, 0}.fits(5)));
  EXPECT_FALSE((ArrayPart{{{0, 1}}, 3, ~0ULL}.fits(5)));
  EXPECT_FALSE((ArrayPart{{{0, 4}, {0, 4}}, 1, 0}.fits(5)));
  EXPECT_FALSE((ArrayPart{{{0, 4}}, 3, 1}.fits(6)));
}

TEST(ArrayPart, NamesWhatItHasOfARange) {
  const ArrayPart part{{{2, 3}, {7, 1}}, 2, 10};  // 2 3 4 7 12 13 14 17
  std::vector<std::array<std::uint64_t, 3>> found;
  part.each(4, 14, [&](auto first, auto bytes, auto before) { found.push_back({first, bytes, before}); });
  EXPECT_EQ(found, (std::vector<std::array<std::uint64_t, 3>>{{4, 1, 2}, {7, 1, 3}, {12, 2, 4}}));
}

std::string part_file(const std::string& stem, int rank, int ranks) { return rank_file(stem, rank, ranks, ".bin"); }

constexpr std::uint64_t row = 2'500'000;  // bytes: several messages
constexpr std::uint64_t rows = 2;

std::byte value_at_byte(std::uint64_t k) { return static_cast<std::byte>(k * 2654435761U >> 13U); }

/// Of a row each rank has a stretch from its front and one from its back; the last of several has nothing.
ArrayPart part_of_rank(int rank, int ranks) {
  if (ranks > 1 && rank == ranks - 1) return {{}, rows, row};
  const auto owners = static_cast<std::uint64_t>(std::max(1, ranks - 1));
  const auto cut = [&](std::uint64_t k) { return row / 2 * k / owners; };
  const auto own = static_cast<std::uint64_t>(rank);
  const std::uint64_t first = cut(own);
  const std::uint64_t bytes = cut(own + 1) - first;
  return {{{first, bytes}, {row / 2 + first, bytes}}, rows, row};
}

GiveBytes values_of(const ArrayPart& part) {
  return [part](const TakeBytes& take) {
    part.each(0, rows * row, [&](std::uint64_t first, std::uint64_t bytes, std::uint64_t /*before*/) {
      std::vector<std::byte> piece(bytes);
      for (std::uint64_t k = 0; k < bytes; ++k) piece[k] = value_at_byte(first + k);
      take(piece);
    });
  };
}

/// Files, and whose the first rank has written.
struct NotedFiles final : RankFiles {
  explicit NotedFiles(fs::path stem) : stem_(std::move(stem)) {}
  [[nodiscard]] fs::path stem() const override { return stem_; }
  [[nodiscard]] std::string ending() const override { return ".bin"; }
  void write(int rank, std::uint64_t bytes, const GiveBytes& give) override {
    std::string& text = written[rank];
    give([&](std::span<const std::byte> piece) {
      text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    EXPECT_EQ(text.size(), bytes);
  }
  fs::path stem_;
  std::map<int, std::string> written;
};

class Parts : public ::testing::TestWithParam<int> {
 protected:
  [[nodiscard]] std::vector<WrittenPart> write(NotedFiles& files) const {
    std::vector<WrittenPart> all;
    const auto body = [&](Communicator& ranks) {
      const ArrayPart own = part_of_rank(ranks.rank(), ranks.size());
      const bool first = ranks.rank() == 0;
      std::vector<WrittenPart> found = write_parts(ranks, first ? &files : nullptr, own, values_of(own));
      EXPECT_EQ(found.empty(), !first);
      if (first) all = std::move(found);
    };
    run_ranks(GetParam(), body, {1});
    return all;
  }
  /// What the parts say they are, and the values that they have, by files of those texts.
  void expect_right(const std::vector<WrittenPart>& all, const std::function<std::string(int rank)>& text) const {
    ASSERT_EQ(all.size(), static_cast<std::size_t>(GetParam()));
    for (int rank = 0; rank < GetParam(); ++rank) {
      const WrittenPart& one = all[static_cast<std::size_t>(rank)];
      const std::string bytes = text(rank);
      EXPECT_EQ(one.sha256, sha256_of(bytes)) << rank;
      ASSERT_EQ(one.part.bytes(), bytes.size());
      std::uint64_t wrong = 0;
      one.part.each(0, rows * row, [&](std::uint64_t first, std::uint64_t many, std::uint64_t before) {
        for (std::uint64_t k = 0; k < many; ++k)
          wrong += static_cast<std::byte>(bytes[before + k]) == value_at_byte(first + k) ? 0 : 1;
      });
      EXPECT_EQ(wrong, 0U) << rank;
    }
  }
  test::TemporaryFolder folder_;
};

TEST_P(Parts, PassThroughTheFirstRankWhereTheyHaveNoFolder) {
  NotedFiles files{{}};
  const std::vector<WrittenPart> all = write(files);
  EXPECT_EQ(files.written.size(), static_cast<std::size_t>(std::max(1, GetParam() - 1)));
  expect_right(all, [&](int rank) { return files.written[rank]; });
}

TEST_P(Parts, PassThroughTheFirstRankWhereAFolderIsNotKnownToBeTheSame) {
  NotedFiles files{folder_.path / "array"};  // without a file that tells
  const std::vector<WrittenPart> all = write(files);
  EXPECT_EQ(files.written.size(), static_cast<std::size_t>(std::max(1, GetParam() - 1)));
  expect_right(all, [&](int rank) { return files.written[rank]; });
}

TEST_P(Parts, AreWrittenByTheirRanks) {
  write_text(folder_.path / case_name, "case");
  NotedFiles files{folder_.path / "array"};
  const std::vector<WrittenPart> all = write(files);
  EXPECT_EQ(files.written.size(), 1U);
  expect_right(all, [&](int rank) {
    if (rank == 0) return files.written[0];
    const fs::path own = part_file(files.stem_.string(), rank, GetParam());
    EXPECT_EQ(fs::exists(own), rank < GetParam() - 1);  // the last has nothing
    return fs::exists(own) ? text_of(own) : std::string();
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, Parts, ::testing::Values(1, 2, 3, 7));

TEST(PartsOfRanks, EndWithTheErrorOfOneThatCannotWrite) {
  const test::TemporaryFolder folder;
  write_text(folder.path / case_name, "case");
  fs::create_directories(folder.path / "array_1.bin" / "in the way");
  NotedFiles files{folder.path / "array"};
  const auto body = [&](Communicator& ranks) {
    const ArrayPart own = part_of_rank(ranks.rank(), ranks.size());
    write_parts(ranks, ranks.rank() == 0 ? &files : nullptr, own, values_of(own));
  };
  try {
    run_ranks(3, body);
    ADD_FAILURE() << "written all the same";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(std::string(error.what()) + error.where(), HasSubstr("array_1.bin"));
  }
}

TEST(PartsOfRanks, AreAsManyBytesAsTheyAreSaidToBe) {
  const test::TemporaryFolder folder;
  write_text(folder.path / case_name, "case");
  NotedFiles files{folder.path / "array"};
  const auto body = [&](Communicator& ranks) {
    const GiveBytes one = [](const TakeBytes& take) { take(std::array{std::byte{1}}); };
    const ArrayPart own{{{0, ranks.rank() == 0 ? 1U : 2U}}};
    write_parts(ranks, ranks.rank() == 0 ? &files : nullptr, own, one);
  };
  EXPECT_THROW(run_ranks(2, body), Error);
  EXPECT_FALSE(fs::exists(folder.path / "array_1.bin"));
}

/// A checkpoint of three ranks.
class CheckpointOfRanks : public ::testing::Test {
 protected:
  void write(std::int64_t iteration) {
    const auto body = [&](Communicator& ranks) {
      const ArrayPart own = part_of_rank(ranks.rank(), ranks.size());
      if (ranks.rank() != 0) {
        write_parts(ranks, nullptr, own, values_of(own));
        return;
      }
      Checkpoint checkpoint;
      checkpoint.put_text("case", std::to_string(iteration));
      checkpoint.put_parts("u", rows * row,
                           [&](RankFiles& files) { return write_parts(ranks, &files, own, values_of(own)); });
      write_checkpoint(result_, checkpoint, iteration, 2, ranks.size());
    };
    run_ranks(3, body);
  }
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path / name; }
  test::TemporaryFolder folder_;
  ResultFolder result_{folder_.path, true};
};

TEST_F(CheckpointOfRanks, GivesTheArrayOfAll) {
  result_.write_whole(case_name, {"case"});
  write(1);
  Checkpoint read = newest_checkpoint(folder_.path).checkpoint;
  std::vector<std::byte> all(rows * row);
  read.get("u", all);
  std::uint64_t wrong = 0;
  for (std::uint64_t k = 0; k < all.size(); ++k) wrong += all[k] == value_at_byte(k) ? 0 : 1;
  EXPECT_EQ(wrong, 0U);
  std::vector<std::byte> few(10);
  read.get_part("u", all.size(), row / 2 - 5, few);
  for (std::uint64_t k = 0; k < few.size(); ++k) EXPECT_EQ(few[k], value_at_byte(row / 2 - 5 + k));
}

TEST_F(CheckpointOfRanks, GoesWithAllItsParts) {
  result_.write_whole(case_name, {"case"});
  for (const std::int64_t iteration : {1, 2, 3}) write(iteration);
  for (const int rank : {0, 1}) {  // the last has nothing
    EXPECT_FALSE(fs::exists(file(part_file("checkpoint-000000000001-u", rank, 3))));
    EXPECT_TRUE(fs::exists(file(part_file("checkpoint-000000000002-u", rank, 3))));
    EXPECT_TRUE(result_.owns(part_file("checkpoint-000000000003-u", rank, 3)));
  }
}

// row 14
TEST_F(CheckpointOfRanks, IsPassedOverWhereAPartIsWrong) {
  result_.write_whole(case_name, {"case"});
  write(1);
  write(2);
  const fs::path part = file("checkpoint-000000000002-u_1.bin");
  const std::string whole = text_of(part);
  const auto expect_passed_over = [&](const char* reason) {
    const FoundCheckpoint found = newest_checkpoint(folder_.path);
    EXPECT_EQ(found.name, "checkpoint-000000000001.h5");
    EXPECT_THAT(found.passed_over, ElementsAre(HasSubstr(reason)));
  };
  std::string flipped = whole;
  flipped[123456] = static_cast<char>(flipped[123456] ^ 16);
  write_text(part, flipped);
  expect_passed_over("the checksum of part 1 of its array 'u' is wrong");
  write_text(part, whole.substr(1));
  expect_passed_over("part 1 of its array 'u' has");
  fs::remove(part);
  expect_passed_over("part 1 of its array 'u' is not there");
  write_text(part, whole);
  EXPECT_EQ(newest_checkpoint(folder_.path).name, "checkpoint-000000000002.h5");
}

}  // namespace
}  // namespace quoin
