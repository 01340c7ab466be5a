#include "report/raster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "output/hdf5_input.hpp"
#include "output/names.hpp"
#include "output/vti.hpp"
#include "quoin/error.hpp"
#include "report/lagrange_cell.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

constexpr double flattest = 0.3;  // height to width of a picture, or the other way round: its labels need room
constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

double ratio_of(const Raster& raster) { return (raster.y1 - raster.y0) / (raster.x1 - raster.x0); }

FieldPicture empty_picture(const std::string& name, const fs::path& file, const Raster& raster, bool with_error) {
  FieldPicture picture{.name = name, .file = file.filename().string(), .time = {}, .field = raster, .error = {}};
  picture.field.values.assign(raster.columns * raster.rows, nothing);
  if (with_error) picture.error = picture.field;
  return picture;
}

/// The value nearest to each pixel, row by row of the file; in space of the plane in the middle.
std::vector<FieldPicture> grid_pictures(const fs::path& file, const ExactOf& exact_of, std::size_t pixels) {
  VtiInput grid(file);
  const GridField& head = grid.head();
  const auto nx = static_cast<double>(head.nx);
  const auto ny = static_cast<double>(head.ny);
  const Raster box = raster_of(head.x0, head.x0 + (nx - 1) * head.dx, head.y0, head.y0 + (ny - 1) * head.dy, pixels);
  const ExactField exact = exact_of(head.name, {box.x1 - box.x0, box.y1 - box.y0});
  const std::int64_t plane = head.nz / 2;
  const std::string name =
      head.nz == 1 ? head.name
                   : fmt::format("{} at z = {:.6g}", head.name, head.z0 + static_cast<double>(plane) * head.dz);
  FieldPicture picture = empty_picture(name, file, box, exact != nullptr);
  const auto nearest = [](double at, double first, double spacing, double count) {
    return count == 1 ? 0.0 : std::clamp(std::round((at - first) / spacing), 0.0, count - 1);
  };
  std::vector<std::size_t> nodes(box.columns);
  for (std::size_t c = 0; c < box.columns; ++c) {
    nodes[c] = static_cast<std::size_t>(nearest(box.x[c], head.x0, head.dx, nx));
    picture.field.x[c] = head.x0 + static_cast<double>(nodes[c]) * head.dx;
  }
  std::vector<double> row;
  for (std::size_t r = 0; r < box.rows; ++r) {
    const double j = nearest(box.y[r], head.y0, head.dy, ny);
    const double y = picture.field.y[r] = head.y0 + j * head.dy;
    grid.read_row(plane * head.ny + static_cast<std::int64_t>(j), row);
    for (std::size_t c = 0; c < box.columns; ++c) {
      const double value = row[nodes[c]];
      picture.field.values[r * box.columns + c] = static_cast<float>(value);
      if (exact)
        picture.error->values[r * box.columns + c] = static_cast<float>(value - exact(picture.field.x[c], y, 0.0));
    }
  }
  return {std::move(picture)};
}

/// A frame of elements, some thousand cells at a time.
class FrameFile {
 public:
  explicit FrameFile(const fs::path& file)
      : input_(Hdf5Input::open(file)),
        order_(order_of(*input_, file)),
        cells_(input_->rows("corners")),
        names_(input_->names("fields")) {}

  struct Cells {
    std::vector<CellShape> shapes;
    std::vector<Point> nodes;
    std::vector<std::vector<double>> fields;
  };

  /// Calls `look` with some cells after the others. Without `fields` only their nodes are read.
  template <class Look>
  void visit(bool fields, const Look& look) const {
    constexpr std::int64_t most = 8192;
    std::int64_t nodes_before = 0;
    for (std::int64_t first = 0; first < cells_; first += most) {
      Cells some;
      std::int64_t count = 0;
      for (const double corners : input_->read("corners", first, std::min(most, cells_ - first), 1)) {
        some.shapes.push_back(corners == 3.0 ? CellShape::triangle : CellShape::quadrilateral);
        count += static_cast<std::int64_t>(cell(some.shapes.back()).nodes());
      }
      const std::vector<double> xy = input_->read("nodes", nodes_before, count, 2);
      for (std::size_t k = 0; k < xy.size(); k += 2) some.nodes.push_back({xy[k], xy[k + 1]});
      if (fields)
        for (const std::string& name : names_)
          some.fields.push_back(input_->read("fields/" + name, nodes_before, count, 1));
      nodes_before += count;
      look(some);
    }
  }

  [[nodiscard]] const LagrangeCell& cell(CellShape shape) const {
    return shape == CellShape::triangle ? triangle_ : quadrilateral_;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] double time() const { return input_->attribute("time"); }

 private:
  static int order_of(const Hdf5Input& input, const fs::path& file) {
    const double order = input.attribute("order");
    if (order >= 1.0 && order <= 10.0) return static_cast<int>(order);
    throw Error(ErrorKind::io, "the frame has no cells of an order from 1 to 10", file.string());
  }

  std::unique_ptr<Hdf5Input> input_;
  int order_;
  std::int64_t cells_;
  std::vector<std::string> names_;
  LagrangeCell triangle_{CellShape::triangle, order_};
  LagrangeCell quadrilateral_{CellShape::quadrilateral, order_};
};

Raster box_of(const std::vector<fs::path>& pieces, std::size_t pixels) {
  constexpr double huge = std::numeric_limits<double>::max();
  Point low{huge, huge};
  Point high{-huge, -huge};
  for (const fs::path& piece : pieces)
    FrameFile(piece).visit(false, [&](const FrameFile::Cells& some) {
      for (const Point& node : some.nodes) {
        low = {std::min(low.x, node.x), std::min(low.y, node.y)};
        high = {std::max(high.x, node.x), std::max(high.y, node.y)};
      }
    });
  Raster box = raster_of(low.x, high.x, low.y, high.y, pixels);
  if (box.line()) throw Error(ErrorKind::io, "the cells have no area that could be drawn");
  return box;
}

struct PixelRange {
  std::size_t begin;
  std::size_t end;
};

/// The pixels whose middles can lie between `low` and `high`.
PixelRange pixels_between(double low, double high, double start, double end, std::size_t count) {
  const auto most = static_cast<double>(count);
  const double scale = most / (end - start);
  const double from = std::clamp(std::floor((low - start) * scale - 0.5), 0.0, most);
  const double to = std::clamp(std::ceil((high - start) * scale + 0.5), from, most);
  return {static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
}

/// Calls `paint(pixel, point, reference)` for each pixel whose middle the cell holds.
template <class Paint>
void visit_pixels(const Raster& box, const LagrangeCell& cell, std::span<const Point> nodes, const Paint& paint) {
  const auto [left, right] = std::ranges::minmax(nodes, {}, &Point::x);
  const auto [below, above] = std::ranges::minmax(nodes, {}, &Point::y);
  if (!std::isfinite(left.x + right.x + below.y + above.y)) return;
  const PixelRange columns = pixels_between(left.x, right.x, box.x0, box.x1, box.columns);
  const PixelRange rows = pixels_between(below.y, above.y, box.y0, box.y1, box.rows);
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    for (std::size_t c = columns.begin; c < columns.end; ++c) {
      const Point point{box.x[c], box.y[r]};
      if (const std::optional<Point> reference = cell.locate(nodes, point))
        paint(r * box.columns + c, point, *reference);
    }
  }
}

/// Of a frame in one or several files.
std::vector<FieldPicture> element_pictures(const fs::path& file, const std::vector<fs::path>& pieces,
                                           const ExactOf& exact_of, std::size_t pixels) {
  const FrameFile first(pieces.front());
  const Raster box = box_of(pieces, pixels);
  const double time = first.time();
  std::vector<FieldPicture> pictures;
  std::vector<ExactField> exact;
  for (const std::string& name : first.names()) {
    exact.push_back(exact_of(name, {box.x1 - box.x0, box.y1 - box.y0}));
    pictures.push_back(empty_picture(name, file, box, exact.back() != nullptr));
    pictures.back().time = time;
    pictures.back().elements = true;
  }
  std::vector<bool> taken(box.columns * box.rows, false);  // a pixel on a side belongs to the first cell there
  std::vector<double> weights;
  for (const fs::path& piece : pieces) {
    const FrameFile frame(piece);
    if (frame.names() != first.names()) throw Error(ErrorKind::io, "a piece has other fields", piece.string());
    frame.visit(true, [&](const FrameFile::Cells& some) {
      std::size_t at = 0;
      for (const CellShape shape : some.shapes) {
        const LagrangeCell& cell = frame.cell(shape);
        const std::size_t start = at;
        at += cell.nodes();
        visit_pixels(box, cell, std::span(some.nodes).subspan(start, cell.nodes()),
                     [&](std::size_t pixel, Point point, Point reference) {
                       if (taken[pixel]) return;
                       taken[pixel] = true;
                       cell.weights(reference, weights);
                       for (std::size_t f = 0; f < pictures.size(); ++f) {
                         double value = 0.0;
                         for (std::size_t k = 0; k < weights.size(); ++k)
                           value += weights[k] * some.fields[f][start + k];
                         pictures[f].field.values[pixel] = static_cast<float>(value);
                         if (exact[f])
                           pictures[f].error->values[pixel] =
                               static_cast<float>(value - exact[f](point.x, point.y, time));
                       }
                     });
      }
    });
  }
  return pictures;
}

}  // namespace

bool Raster::to_scale() const { return ratio_of(*this) >= flattest && ratio_of(*this) <= 1.0 / flattest; }

Point Raster::middle(std::size_t column, std::size_t row) const {
  // The same bits for a point, however many pixels it has: a quotient does not depend on a common factor.
  const auto share = [](std::size_t k, std::size_t count) {
    return static_cast<double>(2 * k + 1) / static_cast<double>(2 * count);
  };
  return {x0 + share(column, columns) * (x1 - x0), y0 + share(row, rows) * (y1 - y0)};
}

Raster raster_of(double x0, double x1, double y0, double y1, std::size_t pixels) {
  if (!std::isfinite(x1 - x0) || !std::isfinite(y1 - y0) || x0 > x1 || y0 > y1 || (x0 == x1 && y0 == y1))
    throw Error(ErrorKind::io, "the field has no extent that could be drawn");
  Raster raster{.x0 = x0, .x1 = x1, .y0 = y0, .y1 = y1};
  const double ratio = std::clamp(ratio_of(raster), flattest, 1.0 / flattest);
  const auto along = [pixels](double share) {
    return pixels * (2 * static_cast<std::size_t>(points_along * share / 2.0) + 1);
  };
  raster.columns = x0 == x1 ? 1 : along(y0 == y1 ? 1.0 : std::min(1.0, 1.0 / ratio));
  raster.rows = y0 == y1 ? 1 : along(x0 == x1 ? 1.0 : std::min(1.0, ratio));
  for (std::size_t c = 0; c < raster.columns; ++c) raster.x.push_back(raster.middle(c, 0).x);
  for (std::size_t r = 0; r < raster.rows; ++r) raster.y.push_back(raster.middle(0, r).y);
  return raster;
}

Raster points_of(const Raster& raster, std::size_t pixels) {
  Raster points = raster_of(raster.x0, raster.x1, raster.y0, raster.y1, 1);
  const auto pixel = [pixels](std::size_t point, std::size_t count) {
    return count == 1 ? 0 : pixels * point + pixels / 2;
  };
  for (std::size_t c = 0; c < points.columns; ++c) points.x[c] = raster.x[pixel(c, points.columns)];
  for (std::size_t r = 0; r < points.rows; ++r) {
    const std::size_t row = pixel(r, points.rows);
    points.y[r] = raster.y[row];
    for (std::size_t c = 0; c < points.columns; ++c)
      points.values.push_back(raster.values[row * raster.columns + pixel(c, points.columns)]);
  }
  return points;
}

std::vector<FieldPicture> pictures_of(const fs::path& file, const ExactOf& exact, std::size_t pixels) {
  if (file.extension() == ".h5") return element_pictures(file, {file}, exact, pixels);
  if (file.extension() == ".pvtu") return element_pictures(file, pieces_of_frame(file), exact, pixels);
  return grid_pictures(file, exact, pixels);
}

std::vector<fs::path> frames_in(const fs::path& folder) {
  enum Kind { grid, vertices, cells };
  // Steps have leading zeros up to a million; a longer name is a later step.
  std::map<Kind, std::map<std::pair<std::size_t, std::string>, fs::path>> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool of_elements = name.ends_with(".h5") || name.ends_with(".pvtu");
    const bool of_cells = name.starts_with("cells-") && of_elements;
    const bool of_vertices = name.starts_with("vertices-") && of_elements;
    if (!of_cells && !of_vertices && !name.ends_with(".vti") && !name.ends_with(".pvti")) continue;
    if (is_piece_name(name)) continue;
    if (entry.is_regular_file())
      found[of_cells ? cells : of_vertices ? vertices : grid][{name.size(), name}] = entry.path();
  }
  std::vector<fs::path> frames;
  if (!found.empty())
    for (const auto& [name, file] : found.rbegin()->second) frames.push_back(file);
  return frames;
}

std::optional<fs::path> newest_fields(const fs::path& folder) {
  const std::vector<fs::path> frames = frames_in(folder);
  return frames.empty() ? std::nullopt : std::optional(frames.back());
}

}  // namespace quoin
