#include "output/hdf5_input.hpp"
#include "output/vti.hpp"

namespace quoin {
namespace {

/// Of all fields, in the order of their names.
std::vector<double> read_fields(const std::filesystem::path& file) {
  const auto input = Hdf5Input::open(file);
  std::vector<double> all;
  for (const std::string& name : input->names("fields")) {
    const std::vector<double> values = input->values("fields/" + name);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

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
  return file.extension() == ".h5" ? read_fields(file) : read_vti(file);
}

}  // namespace quoin
