#include "output/vti.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "output/text.hpp"
#include "quoin/precision.hpp"

namespace quoin {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

void GridField::each_row(const Take& take) const {
  if (rows) return rows(take);
  const auto bytes = static_cast<std::size_t>(nx) * element_size(precision);
  for (std::int64_t j = 0; j < ny; ++j) take(values.subspan(static_cast<std::size_t>(j) * bytes, bytes));
}

std::string write_vti(ResultFolder& folder, const GridField& field) {
  const std::string extent = "0 " + shortest(field.nx - 1) + " 0 " + shortest(field.ny - 1) + " 0 0";
  // VTK wants a spacing along z as well; with one layer of nodes it means nothing.
  const std::string head =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <ImageData WholeExtent=\"" +
      extent + "\" Origin=\"" + shortest(field.x0) + " " + shortest(field.y0) + " 0\" Spacing=\"" + shortest(field.dx) +
      " " + shortest(field.dy) + " 1\">\n    <Piece Extent=\"" + extent + "\">\n      <PointData Scalars=\"" +
      field.name + "\">\n        <DataArray type=\"" + (field.precision == Precision::float32 ? "Float32" : "Float64") +
      "\" Name=\"" + field.name +
      "\" format=\"appended\" offset=\"0\"/>\n"
      "      </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_";
  const std::uint64_t bytes = static_cast<std::uint64_t>(field.nx * field.ny) * element_size(field.precision);
  const std::string_view size(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  const std::string_view tail = "\n  </AppendedData>\n</VTKFile>\n";
  std::string name = field.name + ".vti";
  folder.write_whole(name, head.size() + size.size() + bytes + tail.size(), [&](const PutBytes& put) {
    put(head);
    put(size);
    field.each_row([&put](std::span<const std::byte> row) {
      put({reinterpret_cast<const char*>(row.data()), row.size()});
    });
    put(tail);
  });
  return name;
}

}  // namespace quoin
