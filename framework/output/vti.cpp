#include "output/vti.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "output/text.hpp"
#include "quoin/precision.hpp"

namespace quoin {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

void GridField::each_row(const Take& take) const {
  if (rows) return rows(take);
  const auto bytes = static_cast<std::size_t>(nx) * element_size(precision);
  for (std::int64_t j = 0; j < row_count(); ++j) take(values.subspan(static_cast<std::size_t>(j) * bytes, bytes));
}

namespace {

/// Of some rows of a plane, or in space of all.
std::string extent_of(const GridField& field, const GridRows& rows) {
  const GridRows levels = field.nz == 1 ? rows : GridRows{0, field.ny};
  return "0 " + shortest(field.nx - 1) + " " + shortest(levels.first) + " " + shortest(levels.last - 1) + " 0 " +
         shortest(field.nz - 1);
}

/// VTK wants a spacing along z as well; with one layer of nodes it means nothing.
std::string grid_of(const GridField& field, const GridRows& rows) {
  return "WholeExtent=\"" + extent_of(field, rows) + "\" Origin=\"" + shortest(field.x0) + " " + shortest(field.y0) +
         " " + shortest(field.z0) + "\" Spacing=\"" + shortest(field.dx) + " " + shortest(field.dy) + " " +
         shortest(field.dz) + "\"";
}

std::string array_of(const GridField& field) {
  return "type=\"" + std::string(field.precision == Precision::float32 ? "Float32" : "Float64") + "\" Name=\"" +
         field.name + "\"";
}

std::string head_of(const std::string& type) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + type +
         "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
}

}  // namespace

VtiText vti_text(const GridField& field, const GridRows& rows) {
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(field.nx * (rows.last - rows.first)) * element_size(field.precision);
  std::string head = head_of("ImageData") + "  <ImageData " + grid_of(field, rows) + ">\n    <Piece Extent=\"" +
                     extent_of(field, rows) + "\">\n      <PointData Scalars=\"" + field.name +
                     "\">\n        <DataArray " + array_of(field) +
                     " format=\"appended\" offset=\"0\"/>\n"
                     "      </PointData>\n    </Piece>\n  </ImageData>\n";
  const std::string data = "  <AppendedData encoding=\"raw\">\n_";
  // Who maps the file into memory finds the values aligned.
  head.append(sizeof bytes - 1 - (head.size() + data.size() - 1) % sizeof bytes, ' ');
  head += data;
  const std::string_view size(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  return {head + std::string(size), bytes, "\n  </AppendedData>\n</VTKFile>\n"};
}

std::string write_vti(ResultFolder& folder, const GridField& field) {
  const VtiText text = vti_text(field, {0, field.row_count()});
  std::string name = field.name + ".vti";
  folder.write_whole(name, text.size(), [&](const PutBytes& put) {
    put(text.head);
    field.each_row([&put](std::span<const std::byte> row) {
      put({reinterpret_cast<const char*>(row.data()), row.size()});
    });
    put(text.tail);
  });
  return name;
}

std::string write_pvti(ResultFolder& folder, const GridPieces& pieces) {
  const GridField& field = pieces.field;
  const auto ranks = static_cast<int>(pieces.rows.size());
  std::string text = head_of("PImageData") + "  <PImageData " + grid_of(field, {0, field.row_count()}) +
                     " GhostLevel=\"0\">\n    <PPointData Scalars=\"" + field.name + "\">\n      <PDataArray " +
                     array_of(field) + "/>\n    </PPointData>\n";
  for (int rank = 0; rank < ranks; ++rank) {
    const GridRows& rows = pieces.rows[static_cast<std::size_t>(rank)];
    if (rows.first == rows.last) continue;
    text += "    <Piece Extent=\"" + extent_of(field, rows) + "\" Source=\"" +
            rank_file(field.name, rank, ranks, ".vti") + "\"/>\n";
  }
  text += "  </PImageData>\n</VTKFile>\n";
  std::string name = field.name + ".pvti";
  folder.write_whole(name, {text});
  return name;
}

void write_piece(Communicator& ranks, RankFiles* files, const GridField& field, const GridRows& rows,
                 const GiveBytes& values) {
  const VtiText text = vti_text(field, rows);
  (void)write_files(ranks, files, rows.first == rows.last ? 0 : text.size(), [&](const TakeBytes& take) {
    take(std::as_bytes(std::span(text.head)));
    values(take);
    take(std::as_bytes(std::span(text.tail)));
  });
}

}  // namespace quoin
