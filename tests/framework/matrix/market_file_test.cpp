#include <array>
#include <filesystem>

#include "temporary_folder.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::market;
using test::mistake;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// As gzip packs a matrix of 2 x 2 with a long comment, whose last line is in a part of its own.
std::string packed() {
  constexpr std::array<unsigned char, 107> bytes{
      31,  139, 8,   0,   0,  0,   0,  0,   2,   3,   83,  85,  245, 77,  44,  41,  202, 172, 240, 77, 44,  202,
      78,  45,  81,  200, 5,  115, 20, 146, 243, 243, 139, 82,  50,  243, 18,  75,  82,  21,  138, 82, 19,  115,
      20,  210, 83,  243, 82, 139, 18, 115, 184, 84,  21,  116, 71,  1,   209, 128, 203, 72,  1,   8,  185, 12,
      129, 164, 161, 158, 41, 23,  0,  173, 11,  24,  188, 107, 1,   0,   0,   31,  139, 8,   0,   0,  0,   0,
      0,   2,   3,   51,  82, 48,  84, 48,  226, 2,   0,   74,  76,  206, 68,  6,   0,   0,   0};
  return {bytes.begin(), bytes.end()};
}

class MarketFiles : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path written(const std::string& text, const char* name = "a.mtx") const {
    test::write_text(folder_.path / name, text);
    return folder_.path / name;
  }

  test::TemporaryFolder folder_;
};

TEST_F(MarketFiles, AreRead) {
  const auto file = written(market("coordinate real general", "2 2 2\n1 2 1.5\n2 1 2"));
  EXPECT_THAT(read_matrix(file).value, ElementsAre(1.5, 2));
  EXPECT_THAT(read_vector(written(market("array integer general", "2 1\n4\n5\n"), "b.mtx")), ElementsAre(4, 5));
}

TEST_F(MarketFiles, OfGzipAreInflated) {
  const SparseMatrix matrix = read_matrix(written(packed(), "a.mtx.gz"));
  EXPECT_THAT(matrix.column, ElementsAre(1, 0));
  EXPECT_THAT(matrix.value, ElementsAre(1.5, 2));
  EXPECT_EQ(read_header(folder_.path / "a.mtx.gz").entries, 2);
}

TEST_F(MarketFiles, OfGzipThatAreDamagedAreRefused) {
  const std::string bytes = packed();
  for (const std::size_t size : {bytes.size() - 1, bytes.size() - 10, std::size_t{40}}) {
    const auto file = written(bytes.substr(0, size), "a.mtx.gz");
    EXPECT_EQ(mistake(ErrorKind::case_file, [&] { read_matrix(file); }),
              file.string() + ": the compressed file is cut off; write or copy it anew");
  }
  std::string other = bytes;
  other[99] ^= 1;  // of a checksum
  const auto file = written(other, "a.mtx.gz");
  EXPECT_EQ(mistake(ErrorKind::case_file, [&] { read_matrix(file); }),
            file.string() + ": the compressed file is damaged; write or copy it anew");
}

TEST_F(MarketFiles, AreNamedInMessages) {
  const auto file = written(market("coordinate real general", "2 2 1\n3 2 1.5\n"));
  EXPECT_EQ(mistake(ErrorKind::case_file, [&] { read_matrix(file); }),
            file.string() + ":3:1: row 3 is beyond the 2 rows");
}

TEST_F(MarketFiles, ThatCannotBeReadAreRefused) {
  const std::string missing = (folder_.path / "none.mtx").string();
  EXPECT_THAT(mistake(ErrorKind::io, [&] { read_matrix(missing); }),
              StartsWith(missing + ": cannot open the file: No such file"));
  EXPECT_THAT(mistake(ErrorKind::io, [&] { read_vector(folder_.path); }),
              HasSubstr(": cannot open the file: Is a directory"));
}

TEST_F(MarketFiles, TellTheirHeaders) {
  // The rest of the file would be a mistake.
  MarketHeader header =
      read_header(written(market("coordinate integer skew-symmetric", "% 1 1 1\n\n 30 30 77\nnonsense")));
  EXPECT_EQ(header.format, MarketFormat::coordinate);
  EXPECT_EQ(header.field, MarketField::integer);
  EXPECT_EQ(header.symmetry, MarketSymmetry::skew_symmetric);
  EXPECT_EQ(header.rows, 30);
  EXPECT_EQ(header.columns, 30);
  EXPECT_EQ(header.entries, 77);
  header = read_header(written(market("ARRAY Double Symmetric", "4 4")));
  EXPECT_EQ(header.format, MarketFormat::array);
  EXPECT_EQ(header.field, MarketField::real);
  EXPECT_EQ(header.symmetry, MarketSymmetry::symmetric);
  EXPECT_EQ(header.entries, 10);
  EXPECT_EQ(read_header(written(market("array real general", "3 4\n"))).entries, 12);
  EXPECT_EQ(read_header(written(market("coordinate pattern general", "3 4 99\n"))).entries, 99);  // duplicates, perhaps
  const auto file = written("solid cube\nfacet\n");
  EXPECT_THAT(mistake(ErrorKind::case_file, [&] { read_header(file); }),
              HasSubstr("a.mtx:1:1: expected %%MatrixMarket"));
}

}  // namespace
}  // namespace quoin
