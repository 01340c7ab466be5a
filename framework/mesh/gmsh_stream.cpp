#include "mesh/gmsh_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/text.hpp"
#include "quoin/error.hpp"

namespace quoin {

static_assert(std::endian::native == std::endian::little, "values are read as they lie in memory");

namespace {

constexpr std::string_view space = " \t\r\n";

}  // namespace

void GmshStream::fail(const std::string& what, std::size_t place) const {
  const std::string where =
      binary_ ? fmt::format("{}: byte {}", name_, place)
              : fmt::format("{}:{}", name_, 1 + std::count(bytes_.begin(), bytes_.begin() + place, '\n'));
  throw Error(ErrorKind::case_file, where + ": " + what);
}

void GmshStream::skip_space() { next_ = std::min(bytes_.find_first_not_of(space, next_), bytes_.size()); }

bool GmshStream::at_end() {
  skip_space();
  return next_ == bytes_.size();
}

std::string_view GmshStream::word() {
  skip_space();
  place_ = next_;
  next_ = std::min(bytes_.find_first_of(space, next_), bytes_.size());
  if (next_ == place_) fail("the file ends here, in the middle of a section; write it anew");
  return bytes_.substr(place_, next_ - place_);
}

std::string GmshStream::quoted() {
  skip_space();
  place_ = next_;
  const std::size_t line = std::min(bytes_.find('\n', place_), bytes_.size());
  // Gmsh escapes nothing: a name goes on to the last quote of its line.
  const std::size_t end = place_ < line && bytes_[place_] == '"' ? bytes_.rfind('"', line) : line;
  if (end >= line || end == place_) fail("expected a name in quotes");
  next_ = end + 1;
  return std::string(bytes_.substr(place_ + 1, end - place_ - 1));
}

std::int64_t GmshStream::number() {
  const std::string_view text = word();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    fail(fmt::format("expected an integer, not {}", shown(text)));
  return value;
}

template <class T>
T GmshStream::raw() {
  place_ = next_;
  if (bytes_.size() - next_ < sizeof(T)) fail("the file ends here, in the middle of a section; write it anew");
  T value;
  std::memcpy(&value, bytes_.data() + next_, sizeof value);
  next_ += sizeof value;
  return value;
}

std::int64_t GmshStream::int32() {
  if (binary_) return raw<std::int32_t>();
  const std::int64_t value = number();
  if (value != static_cast<std::int32_t>(value)) fail(fmt::format("{} is too large", value));
  return value;
}

std::int64_t GmshStream::int64() { return binary_ ? raw<std::int64_t>() : number(); }

double GmshStream::real() {
  double value = 0;
  if (binary_) {
    value = raw<double>();
  } else {
    const std::string_view text = word();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      fail(fmt::format("expected a number, not {}", shown(text)));
  }
  if (!std::isfinite(value)) fail(fmt::format("a coordinate is {}; it must be finite", value));
  return value;
}

void GmshStream::end_line() {
  const std::size_t end = bytes_.find('\n', next_);
  next_ = end == std::string_view::npos ? bytes_.size() : end + 1;
}

void GmshStream::skip_to(const std::string& word) {
  const std::size_t found = bytes_.find("\n" + word, next_ == 0 ? 0 : next_ - 1);
  if (found == std::string_view::npos) fail(fmt::format("the section has no {}; the file is cut off", shown(word)));
  next_ = found + 1 + word.size();
}

std::int64_t GmshStream::checked(std::int64_t count, const char* what, std::size_t words, std::size_t bytes) const {
  const std::size_t least = binary_ ? bytes : 2 * words;
  const std::size_t left = bytes_.size() - next_;
  // The last word of a file may lack the space behind it.
  if (count < 0 || static_cast<std::uint64_t>(count) > (left + 1) / least)
    fail(fmt::format("{} {} cannot be in the {} bytes that are left; the file is damaged or cut off", count, what,
                     left));
  return count;
}

}  // namespace quoin
