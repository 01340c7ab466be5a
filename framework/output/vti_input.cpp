#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <iterator>
#include <sstream>

#include "output/names.hpp"
#include "output/vti.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// What stands between the quotes behind the last ` NAME=`: elements further in come later.
std::string attribute(const std::string& head, const std::string& name) {
  const std::size_t found = head.rfind(" " + name + "=\"");
  if (found == std::string::npos) return {};
  const std::size_t start = found + name.size() + 3;
  return head.substr(start, head.find('"', start) - start);
}

template <class Number>
std::vector<Number> numbers(const std::string& text) {
  std::istringstream stream(text);
  std::vector<Number> all;
  for (std::string word; stream >> word;) {
    Number number{};
    if (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc()) return {};
    all.push_back(number);
  }
  return all;
}

std::size_t size_of(Precision precision) { return precision == Precision::float32 ? sizeof(float) : sizeof(double); }

}  // namespace

VtiInput::VtiInput(const std::filesystem::path& file) : stream_(file, std::ios::binary), name_(file.string()) {
  const bool of_pieces = file.extension() == ".pvti";
  constexpr std::size_t longest_head = 4096;
  std::string text(of_pieces ? std::filesystem::file_size(file) : longest_head, '\0');
  stream_.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream_.gcount()));
  stream_.clear();
  if (!of_pieces) {
    const std::size_t appended = text.find("<AppendedData");
    const std::size_t mark = appended == std::string::npos ? appended : text.find('_', appended);
    if (mark == std::string::npos) throw Error(ErrorKind::io, "the field cannot be read back", name_);
    start_ = static_cast<std::int64_t>(mark + 1 + sizeof(std::uint64_t));
    text.resize(appended);
  }
  const auto extent = numbers<std::int64_t>(attribute(text, "WholeExtent"));
  const auto origin = numbers<double>(attribute(text, "Origin"));
  const auto spacing = numbers<double>(attribute(text, "Spacing"));
  if (extent.size() != 6 || origin.size() != 3 || spacing.size() != 3 || extent[1] < 0 || extent[2] < 0 ||
      extent[3] < extent[2] || extent[4] != 0 || extent[5] < 0 || !(spacing[0] > 0.0) || !(spacing[1] > 0.0) ||
      !(spacing[2] > 0.0))
    throw Error(ErrorKind::io, "the field has no grid", name_);
  head_.name = attribute(text, "Name");
  head_.nx = extent[1] + 1;
  first_row_ = extent[2];
  head_.ny = extent[3] - extent[2] + 1;
  head_.nz = extent[5] + 1;
  head_.dz = spacing[2];
  head_.z0 = origin[2];
  head_.dx = spacing[0];
  head_.dy = spacing[1];
  head_.x0 = origin[0];
  head_.y0 = origin[1] + static_cast<double>(first_row_) * head_.dy;
  head_.precision = attribute(text, "type") == "Float32" ? Precision::float32 : Precision::float64;
  if (of_pieces) {
    open_pieces(file, text);
    return;
  }
  // Before a row is made room for: the file may say more than it has.
  const auto bytes = static_cast<double>(size_of(head_.precision)) * static_cast<double>(head_.nx);
  if (static_cast<double>(std::filesystem::file_size(file)) <
      bytes * static_cast<double>(head_.ny) * static_cast<double>(head_.nz) + static_cast<double>(start_))
    throw Error(ErrorKind::io, "the field is shorter than it says", name_);
}

/// Those of a .pvti, which lie beside it and have all its rows.
void VtiInput::open_pieces(const std::filesystem::path& file, const std::string& text) {
  std::int64_t known = 0;
  for (const std::filesystem::path& each : pieces_in(file, text)) {
    if (each.extension() != ".vti") throw Error(ErrorKind::io, "a piece of the field is no .vti", name_);
    const VtiInput& piece = pieces_.emplace_back(each);
    if (piece.head_.nx != head_.nx || piece.first_row_ > known)
      throw Error(ErrorKind::io, "the pieces of the field do not fit together", name_);
    known = piece.first_row_ + piece.head_.ny;
  }
  if (known != head_.ny) throw Error(ErrorKind::io, "the field is shorter than it says", name_);
}

void VtiInput::read_row(std::int64_t j, std::vector<double>& values) {
  if (!pieces_.empty()) {
    VtiInput& piece = *std::prev(std::ranges::upper_bound(pieces_, j, std::less<>(), &VtiInput::first_row_));
    return piece.read_row(j - piece.first_row_, values);
  }
  const std::size_t size = size_of(head_.precision);
  std::vector<char> raw(static_cast<std::size_t>(head_.nx) * size);
  stream_.seekg(start_ + j * static_cast<std::int64_t>(raw.size()));
  if (!stream_.read(raw.data(), static_cast<std::streamsize>(raw.size())))
    throw Error(ErrorKind::io, "the field cannot be read back", name_);
  values.resize(static_cast<std::size_t>(head_.nx));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (head_.precision == Precision::float32) {
      float value = 0;
      std::memcpy(&value, raw.data() + i * size, size);
      values[i] = static_cast<double>(value);
    } else {
      std::memcpy(&values[i], raw.data() + i * size, size);
    }
  }
}

}  // namespace quoin
