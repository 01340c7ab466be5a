#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "quoin/problem.hpp"

namespace quoin {

/// A value for each pixel of a box, row by row from below; not a number where there is no mesh. Columns and rows are
/// odd in number, so that the middle lines of the box are among them.
struct Raster {
  std::size_t columns = 0;
  std::size_t rows = 0;
  double x0 = 0.0, x1 = 0.0, y0 = 0.0, y1 = 0.0;
  std::vector<double> x{}, y{};  ///< where the values are of: the middles of pixels, or nodes next to them
  std::vector<float> values{};

  [[nodiscard]] bool to_scale() const;  ///< else one side is too long for that
  [[nodiscard]] bool line() const { return columns == 1 || rows == 1; }
  [[nodiscard]] Point middle(std::size_t column, std::size_t row) const;
};

/// Points along the longer side at which a page has the values of a field as numbers.
inline constexpr std::size_t points_along = 81;
/// Pixels for each of them in a picture, along a side: about as many as it has on the page. An odd number, so that one
/// of them is at the point.
inline constexpr std::size_t picture_pixels = 5;
/// Of that box, with so many pixels a point. A box without a height, or a width, is one row, or one column.
Raster raster_of(double x0, double x1, double y0, double y1, std::size_t pixels = picture_pixels);
/// The points of a raster with so many pixels a point.
Raster points_of(const Raster& raster, std::size_t pixels = picture_pixels);

/// A field as it is at every pixel, and its difference to the exact solution, where there is one.
struct FieldPicture {
  std::string name;
  std::string file;
  std::optional<double> time;
  bool elements = false;  ///< polynomials in cells; else values at nodes
  Raster field;
  std::optional<Raster> error;
};

/// The exact solution of a field on a mesh of that width and height; empty where there is none.
using ExactOf = std::function<ExactField(const std::string& field, Point extent)>;

/// Of a frame of elements (.h5): each cell's polynomial at the pixels whose middles it holds, so that jumps between
/// cells stay. Of a grid (.vti): the value of the nearest node. Memory does not grow with the mesh. ErrorKind::io where
/// the file cannot be read.
std::vector<FieldPicture> pictures_of(const std::filesystem::path& file, const ExactOf& exact,
                                      std::size_t pixels = picture_pixels);

/// The files of fields in a result folder, frame after frame: of the cells, else of the vertices, else of a grid.
std::vector<std::filesystem::path> frames_in(const std::filesystem::path& folder);
/// The last of them; empty where there is none.
std::optional<std::filesystem::path> newest_fields(const std::filesystem::path& folder);

}  // namespace quoin
