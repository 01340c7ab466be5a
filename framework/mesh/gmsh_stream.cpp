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

std::string_view GmshStream::section_at(std::size_t place) const {
  const auto later = std::find_if(sections_.begin(), sections_.end(), [&](const auto& s) { return s.first > place; });
  return later == sections_.begin() ? std::string_view() : std::prev(later)->second;
}

void GmshStream::fail(const std::string& what, std::size_t place) const {
  const std::string_view section = section_at(place);
  const std::string where =
      binary_ ? fmt::format("{}: byte {}{}{}", name_, place, section.empty() ? "" : " in ", section)
              : fmt::format("{}:{}", name_, 1 + std::count(bytes_.begin(), bytes_.begin() + place, '\n'));
  throw Error(ErrorKind::case_file, where + ": " + what);
}

void GmshStream::broken(const std::string& what, std::size_t place) const {
  fail(what + "; mend the file or write it anew", place);
}

void GmshStream::fail_at_end() const {
  fail(fmt::format("the file ends in the middle of {}; it is cut off, write or copy it anew", section_at(place_)));
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
  if (next_ == place_) fail_at_end();
  return bytes_.substr(place_, next_ - place_);
}

std::string GmshStream::quoted() {
  skip_space();
  place_ = next_;
  const std::size_t line = std::min(bytes_.find('\n', place_), bytes_.size());
  // Gmsh escapes nothing: a name goes on to the last quote of its line.
  const std::size_t end = place_ < line && bytes_[place_] == '"' ? bytes_.rfind('"', line) : line;
  if (end >= line || end == place_) broken("expected a name in quotes");
  if (end == place_ + 1) fail("the name of a physical group is empty; give it one in Gmsh");
  next_ = end + 1;
  return std::string(bytes_.substr(place_ + 1, end - place_ - 1));
}

template <class T>
T GmshStream::parsed(std::string_view text, const char* what) const {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) broken(fmt::format("{} is too large or too small", shown(text)));
  if (error != std::errc{} || end != text.data() + text.size())
    broken(fmt::format("expected {} in {}, not {}", what, section_at(place_), shown(text)));
  return value;
}

std::int64_t GmshStream::number() { return parsed<std::int64_t>(word(), "an integer"); }

template <class T>
T GmshStream::raw() {
  place_ = next_;
  if (bytes_.size() - next_ < sizeof(T)) fail_at_end();
  T value;
  std::memcpy(&value, bytes_.data() + next_, sizeof value);
  next_ += sizeof value;
  return value;
}

std::int64_t GmshStream::int32() {
  if (binary_) return raw<std::int32_t>();
  const std::int64_t value = number();
  if (value != static_cast<std::int32_t>(value)) broken(fmt::format("{} is too large for a number of 4 bytes", value));
  return value;
}

std::int64_t GmshStream::int64() { return binary_ ? raw<std::int64_t>() : number(); }

std::int64_t GmshStream::tag() { return tag_bytes_ == 4 ? int32() : int64(); }

double GmshStream::real() {
  const double value = binary_ ? raw<double>() : parsed<double>(word(), "a number");
  if (!std::isfinite(value)) broken(fmt::format("a coordinate is {}: it must be finite", value));
  return value;
}

bool GmshStream::flag() {
  const std::int64_t value = int32();
  if (value != 0 && value != 1) broken(fmt::format("expected 0 or 1, not {}", value));
  return value == 1;
}

void GmshStream::end_line() {
  const std::size_t end = std::min(bytes_.find('\n', next_), bytes_.size());
  const std::string_view rest = bytes_.substr(next_, end - next_);
  if (const std::size_t more = rest.find_first_not_of(space); more != std::string_view::npos)
    broken(fmt::format("expected the end of the line, not {}", shown(rest.substr(more))), next_ + more);
  next_ = std::min(end + 1, bytes_.size());
}

void GmshStream::skip_to(const std::string& word) {
  for (std::size_t found = next_; (found = bytes_.find("\n" + word, found)) != std::string_view::npos; ++found) {
    next_ = found + 1 + word.size();
    if (next_ == bytes_.size() || space.find(bytes_[next_]) != std::string_view::npos) return;
  }
  fail(fmt::format("the section has no {}; the file is cut off, write or copy it anew", shown(word)));
}

std::int64_t GmshStream::checked(std::int64_t count, const char* what, std::size_t words, std::size_t bytes) const {
  const std::size_t least = binary_ ? bytes : 2 * words;
  const std::size_t left = bytes_.size() - next_;
  // The last word of a file may lack the space behind it.
  if (count < 0 || static_cast<std::uint64_t>(count) > (left + 1) / least)
    broken(fmt::format("{} {} cannot be in the {} bytes that are left", count, what, left));
  return count;
}

}  // namespace quoin
