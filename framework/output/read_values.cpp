#include "output/hdf5.hpp"
#include "output/vti.hpp"

namespace quoin {
namespace {

std::vector<double> read_vti(const std::filesystem::path& file) {
  VtiInput grid(file);
  std::vector<double> values;
  std::vector<double> row;
  for (std::int64_t j = 0; j < grid.head().ny; ++j) {
    grid.read_row(j, row);
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

}  // namespace

std::vector<double> read_values(const std::filesystem::path& file) {
  return file.extension() == ".h5" ? read_hdf5(file, "fields") : read_vti(file);
}

}  // namespace quoin
