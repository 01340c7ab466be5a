#include <cstring>
#include <fstream>
#include <iterator>

#include "output/hdf5.hpp"
#include "quoin/error.hpp"
#include "quoin/fields.hpp"

namespace quoin {
namespace {

template <class T>
std::vector<double> as_doubles(std::string_view raw) {
  std::vector<double> values(raw.size() / sizeof(T));
  for (std::size_t k = 0; k < values.size(); ++k) {
    T value{};
    std::memcpy(&value, raw.data() + k * sizeof value, sizeof value);
    values[k] = static_cast<double>(value);
  }
  return values;
}

/// The values lie raw behind their count of bytes and the first underscore of the appended data.
std::vector<double> read_vti(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  const std::string_view text = all;
  const std::size_t appended = text.find("<AppendedData");
  const std::size_t start = appended == std::string_view::npos ? appended : text.find('_', appended);
  std::uint64_t bytes = 0;
  if (start == std::string_view::npos || text.size() < start + 1 + sizeof bytes)
    throw Error(ErrorKind::io, "the field cannot be read back", file.string());
  std::memcpy(&bytes, text.data() + start + 1, sizeof bytes);
  const std::string_view values = text.substr(start + 1 + sizeof bytes);
  if (values.size() < bytes) throw Error(ErrorKind::io, "the field is shorter than it says", file.string());
  const bool narrow = text.substr(0, appended).find("type=\"Float32\"") != std::string_view::npos;
  return narrow ? as_doubles<float>(values.substr(0, bytes)) : as_doubles<double>(values.substr(0, bytes));
}

}  // namespace

std::vector<double> read_values(const std::filesystem::path& file) {
  return file.extension() == ".h5" ? read_hdf5(file, "fields") : read_vti(file);
}

}  // namespace quoin
