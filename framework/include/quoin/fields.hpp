#pragma once

// What a problem hands out to be written: fields on grids, high-order fields on cells, tables.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "quoin/executor.hpp"
#include "quoin/parts.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// A scalar field on a uniform grid: nx by ny by nz nodes in file order (x fastest), raw little-endian values. Rows are
/// those of all planes, one plane after the other.
struct GridField {
  std::string name;
  std::int64_t nx = 0;
  std::int64_t ny = 0;
  double x0 = 0.0;  ///< position of node (0, 0)
  double y0 = 0.0;
  double dx = 0.0;
  double dy = 0.0;
  Precision precision = Precision::float64;
  std::span<const std::byte> values;  ///< all; or none, where `rows` gives them
  std::int64_t ring =
      0;  ///< outermost layers of nodes whose values were given, not computed: the field's hash is without
  using Take = std::function<void(std::span<const std::byte> row)>;
  /// In place of `values`, for fields that nobody holds whole: takes the values of each row, from the first on.
  std::function<void(const Take& take)> rows{};
  std::int64_t nz = 1;  ///< 1 in the plane
  double z0 = 0.0;
  double dz = 1.0;

  [[nodiscard]] std::int64_t row_count() const { return ny * nz; }
  /// Takes the values of each row, from the first on, however they are given.
  void each_row(const Take& take) const;
};

/// Rows of a grid field.
struct GridRows {
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< one behind
};

/// A grid field of which each rank writes its rows, and with them the first row of the rank above.
struct GridPieces {
  GridField field;               ///< all of it, as to be written in one
  std::vector<GridRows> rows{};  ///< of each rank; of some none
  /// Has all ranks call write_piece().
  std::function<void(RankFiles& files)> write{};
};

/// Their values are the numbers of corners.
enum class CellShape : std::int64_t { triangle = 3, quadrilateral = 4 };

/// The nodes of a Lagrange cell of `order` >= 1 in VTK's order (corners, edges, interior): equidistant, on the
/// reference triangle (0,0) (1,0) (0,1) or the reference square (0,0) (1,0) (1,1) (0,1).
/// (order+1)(order+2)/2 of a triangle, (order+1)^2 of a quadrilateral.
std::vector<Point> lagrange_nodes(CellShape shape, int order);

/// An array for programs, as an HDF5 data set. The last extent runs fastest; an empty shape is a scalar.
struct NamedArray {
  std::string name;  ///< may name groups on the way: `mesh/faces`
  std::vector<std::int64_t> shape;
  std::variant<std::vector<double>, std::vector<std::int64_t>> values;
};

/// A fact about a frame for programs, as an attribute of the HDF5 file.
struct NamedFact {
  std::string name;
  std::variant<std::int64_t, double, std::string, std::vector<std::string>> value;
};

struct NodeValues {
  std::string name;
  std::vector<double> values;  ///< one a node
};

/// How hard the arrays of a picture are compressed: in little time, not at all, or to few bytes.
enum class Compression { fast, none, best };

/// Scalar fields at one time, a polynomial of degree <= `order` in each Lagrange cell. No cell shares its nodes, so
/// that jumps show.
struct ElementFields {
  std::string level;      ///< stem of the files' names: `cells`, `vertices`
  std::int64_t step = 0;  ///< >= 0
  double time = 0.0;
  int order = 1;                     ///< of every cell, >= 1
  std::vector<CellShape> shapes{};   ///< one a cell
  std::vector<Point> nodes{};        ///< cell by cell, those of a cell in the order of lagrange_nodes
  std::vector<NodeValues> fields{};  ///< at least one; the first is what a viewer shows
  std::vector<NamedArray> data{};    ///< more for programs, such as coefficients; besides nodes and fields
  std::vector<NamedFact> facts{};    ///< besides step, time and order
  Compression compression{};         ///< of the file for viewers
};

/// The frame without cells, nodes and values.
[[nodiscard]] ElementFields without_values(const ElementFields& frame);
/// The bytes of an array of the frame: `nodes` (x and y of each), `corners` (3 or 4 of each cell, std::int64_t),
/// `fields/NAME` (doubles), or one of `data` by its name. ErrorKind::bug where there is none.
[[nodiscard]] std::span<const std::byte> bytes_of(const ElementFields& frame, const std::string& array);

/// A frame of which nobody holds all: ranks have it together, each its cells, in the order in which one process has
/// them, or an array is made when it is asked for.
struct ElementsOfRanks {
  ElementFields frame;     ///< without_values()
  std::int64_t cells = 0;  ///< of all ranks
  std::int64_t nodes = 0;
  /// Hands over an array of all ranks, named as by bytes_of(), in pieces that hold whole numbers and points.
  std::function<void(const std::string& array, const TakeBytes& take)> give{};
  bool by_many = false;     ///< whether several threads may ask at the same time
  bool mesh_stays = false;  ///< whether later frames of the level have the same cells and nodes
  /// Has all ranks call write_piece().
  std::function<std::vector<std::uint64_t>(RankFiles& pictures, RankFiles& programs)> write{};
};

/// All of it.
[[nodiscard]] ElementFields collected(const ElementsOfRanks& elements);

using Number = std::variant<std::int64_t, double>;
using Row = std::vector<Number>;

/// Rows of the file NAME.csv, each as wide as `columns`.
struct Table {
  std::string name;
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

/// The elements of a vector, all of them finite.
struct VectorValues {
  std::string name;
  std::span<const double> values;
  std::vector<std::int64_t> shape{};  ///< for NAME.h5 as well, the last extent fastest; empty: without it
};

/// NAME-000120 for step 120: the stem of what belongs to one frame.
std::string frame_name(const std::string& name, std::int64_t step);

/// Where a problem writes its fields, once a frame. Errors are ErrorKind::io, ErrorKind::bug for sizes that do not fit.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  /// NAME.vti; a later frame replaces it.
  virtual void grid(const GridField& field) = 0;
  /// NAME.mtx, an array file of Matrix Market, and NAME.h5 with the array fields/NAME where the vector has a shape; a
  /// later frame replaces them. The fields' hash does not count them.
  virtual void vector(const VectorValues& vector) = 0;
  /// LEVEL-STEP.vtu to look at, LEVEL-STEP.h5 for programs, and LEVEL.pvd, the series in time.
  virtual void elements(const ElementFields& frame) = 0;
  /// The same of a frame that comes array by array. In pieces LEVEL-STEP.pvtu, which names the pieces
  /// LEVEL-STEP_RANK.vtu; LEVEL-STEP_RANK.h5, and LEVEL.pvd. Unless it is overridden, elements() gets all of it.
  virtual void elements_of_ranks(const ElementsOfRanks& elements);
  /// Whether each rank is to write what it has of grids and elements, in files of its own.
  [[nodiscard]] virtual bool in_pieces() const { return false; }
  /// NAME.pvti, which names the pieces NAME_RANK.vti.
  virtual void grid_in_pieces(const GridPieces& pieces);
  /// A table that grows with the run: the rows are added to those of earlier frames.
  virtual void series(const Table& more) = 0;
  /// A table of this frame alone, whole.
  virtual void table(const Table& table) = 0;
};

/// Writes the rows of `field` that a rank has, which `values` gives one after another; nothing where it has none.
/// Collective, as write_files().
void write_piece(Communicator& ranks, RankFiles* files, const GridField& field, const GridRows& rows,
                 const GiveBytes& values);
/// Writes the cells that a rank has, for pictures and for programs. On the first rank the bytes of each rank's picture:
/// 0 where it has no cells. Collective.
std::vector<std::uint64_t> write_piece(Communicator& ranks, RankFiles* pictures, RankFiles* programs,
                                       const ElementFields& frame);

/// The values of a field file that a run wrote: of a grid (.vti), or of the nodes of a frame, field by field (.h5).
/// ErrorKind::io where it cannot be read.
std::vector<double> read_values(const std::filesystem::path& file);

}  // namespace quoin
