#include "problems/dgcvs/setup/raster.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "output/hdf5.hpp"
#include "quoin/error.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

class RasterFile : public ::testing::Test {
 protected:
  BedRaster ascii(const std::string& text) {
    test::write_text(folder_.path / "bed.asc", text);
    return BedRaster(folder_.path / "bed.asc");
  }
  BedRaster hdf5(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& bed,
                 std::int64_t rows) {
    test::write_text(folder_.path / "bed.h5", hdf5_image([&](Hdf5File& file) {
                       const std::array along_x{std::ssize(x)};
                       const std::array along_y{std::ssize(y)};
                       const std::array both{rows, std::ssize(bed) / rows};
                       file.add("x", along_x, std::span(x));
                       file.add("y", along_y, std::span(y));
                       file.add("bed", both, std::span(bed));
                     }));
    return BedRaster(folder_.path / "bed.h5");
  }
  /// What is said of a grid of HDF5 that is refused.
  std::string refusal(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& bed,
                      std::int64_t rows) {
    try {
      (void)hdf5(x, y, bed, rows);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::case_file);
      EXPECT_EQ(error.where(), (folder_.path / "bed.h5").string());
      return error.what();
    }
    return "nothing";
  }
  test::TemporaryFolder folder_;
};

constexpr const char* three_by_two =
    "NCOLS 3\nnrows 2\nxllcorner 10\nyllcorner -1\ncellsize 2\nNODATA_value -99\n1 2 3\n4 5 -99\n";

TEST_F(RasterFile, HeightsAreThoseAtTheCentresOfCells) {
  const BedRaster raster = ascii(three_by_two);
  EXPECT_THAT(raster.at({11, 2}), Optional(1.0));
  EXPECT_THAT(raster.at({15, 2}), Optional(3.0));
  EXPECT_THAT(raster.at({11, 0}), Optional(4.0));
  EXPECT_THAT(raster.at({12, 1}), Optional(3.0));  // between the first four
}

TEST_F(RasterFile, UpToTheEdgeTheyAreThoseOfTheOutermostCentres) {
  const BedRaster raster = ascii(three_by_two);
  EXPECT_THAT(raster.at({10, 3}), Optional(1.0));
  EXPECT_THAT(raster.at({10, -1}), Optional(4.0));
  EXPECT_EQ(raster.at({9.9, 1}), std::nullopt);
  EXPECT_EQ(raster.at({12, 3.1}), std::nullopt);
  EXPECT_EQ(raster.extent(), "x from 10 to 16, y from -1 to 3");
}

TEST_F(RasterFile, BesideACellWithoutDataThereIsNoHeight) {
  const BedRaster raster = ascii(three_by_two);
  EXPECT_EQ(raster.at({15, 0}), std::nullopt);
  EXPECT_EQ(raster.at({14, 1}), std::nullopt);
  EXPECT_THAT(raster.at({13, 0}), Optional(5.0));
}

TEST_F(RasterFile, ACornerMayBeGivenByTheCentreOfItsCell) {
  const BedRaster raster = ascii("ncols 1\nnrows 1\nxllcenter 1\nyllcenter 2\ncellsize 4\n7\n");
  EXPECT_EQ(raster.extent(), "x from -1 to 3, y from 0 to 4");
  EXPECT_THAT(raster.at({-0.5, 3.5}), Optional(7.0));
}

TEST_F(RasterFile, Hdf5HasColumnsAndRowsWhereverTheyAre) {
  const BedRaster raster = hdf5({0, 1, 4}, {0, 2}, {0, 1, 4, 2, 3, 6}, 2);  // x + y
  EXPECT_THAT(raster.at({2.5, 1}), Optional(3.5));
  EXPECT_THAT(raster.at({4, 2}), Optional(6.0));
  EXPECT_EQ(raster.at({4.1, 2}), std::nullopt);
}

TEST_F(RasterFile, WhatIsNoGridIsRefused) {
  EXPECT_THAT(refusal({0, 1}, {0, 2}, {1, 2, 3}, 1), HasSubstr("the array bed has 1 rows and 3 heights"));
  EXPECT_THAT(refusal({0, 1}, {0, 2}, {1, 2, 3, 4}, 1), HasSubstr("the array bed has 1 rows"));
  EXPECT_THAT(refusal({0, 0}, {0, 2}, {1, 2, 3, 4}, 2), HasSubstr("x[1] is 0, and 0 comes before it"));
  EXPECT_THAT(refusal({0, 1}, {}, {1, 2}, 1), HasSubstr("the array y is empty"));
}

}  // namespace
}  // namespace quoin
