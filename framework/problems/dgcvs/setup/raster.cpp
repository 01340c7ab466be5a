#include "problems/dgcvs/setup/raster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "output/hdf5_input.hpp"
#include "problems/dgcvs/setup/words.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr const char* grid_header =
    "ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize and, if heights are missing, nodata_value";

/// The lines of a header, by their names in small letters.
using GridHeader = std::map<std::string, double, std::less<>>;

double entry_of(const Words& words, const GridHeader& header, const char* name) {
  const auto found = header.find(name);
  if (found == header.end())
    words.refuse(std::nullopt,
                 fmt::format("the header lacks {}; an ESRI ASCII grid starts with {}", name, grid_header));
  return found->second;
}

std::size_t count_of(const Words& words, const GridHeader& header, const char* name) {
  constexpr double most = 1e5;
  const double count = entry_of(words, header, name);
  if (count < 1 || count > most || count != std::floor(count))
    words.refuse(std::nullopt, fmt::format("{} is {}: it must be a whole number from 1 to {}", name, count, most));
  return static_cast<std::size_t>(count);
}

/// A coordinate of the lower left corner, which may be that of the first cell's centre.
double corner_of(const Words& words, const GridHeader& header, const char* axis, double size) {
  const std::string centre = fmt::format("{}llcenter", axis);
  if (header.contains(centre)) return entry_of(words, header, centre.c_str()) - size / 2;
  return entry_of(words, header, fmt::format("{}llcorner", axis).c_str());
}

/// Where `value` lies between ascending places: the one before it, and the share of the way to the next.
std::pair<std::size_t, double> between(const std::vector<double>& places, double value) {
  if (places.size() == 1) return {0, 0.0};
  const auto next = std::ranges::upper_bound(places.begin() + 1, places.end() - 1, value);
  const double before = *(next - 1);
  return {static_cast<std::size_t>(next - places.begin()) - 1,
          std::clamp((value - before) / (*next - before), 0.0, 1.0)};
}

}  // namespace

Raster::Raster(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".h5" || ending == ".hdf5")
    read_hdf5(path);
  else
    read_ascii(path);
}

void Raster::read_ascii(const std::filesystem::path& path) {
  Words words(path, "");
  constexpr std::array known{"ncols",     "nrows",     "xllcorner", "xllcenter",
                             "yllcorner", "yllcenter", "cellsize",  "nodata_value"};
  GridHeader header;
  std::optional<Words::Word> word = words.next();
  for (; word && std::isalpha(static_cast<unsigned char>(word->text.front())) != 0; word = words.next()) {
    const std::string name = lower_case(word->text);
    if (std::ranges::find(known, name) == known.end())
      words.refuse(word, fmt::format("{} is no part of the header of an ESRI ASCII grid, which has {}",
                                     shown(word->text), grid_header));
    header[name] = words.number(name);
  }
  const std::size_t columns = count_of(words, header, "ncols");
  const std::size_t rows = count_of(words, header, "nrows");
  const double size = entry_of(words, header, "cellsize");
  if (!(size > 0.0)) words.refuse(std::nullopt, fmt::format("cellsize is {}: it must be greater than 0", size));
  low_ = {corner_of(words, header, "x", size), corner_of(words, header, "y", size)};
  high_ = {low_.x + static_cast<double>(columns) * size, low_.y + static_cast<double>(rows) * size};
  for (std::size_t k = 0; k < columns; ++k) x_.push_back(low_.x + (static_cast<double>(k) + 0.5) * size);
  for (std::size_t k = 0; k < rows; ++k) y_.push_back(low_.y + (static_cast<double>(k) + 0.5) * size);
  const auto none = header.find("nodata_value");
  heights_.resize(columns * rows);
  for (std::size_t row = 0; row < rows; ++row) {  // from above
    for (std::size_t column = 0; column < columns; ++column) {
      const std::string what = fmt::format("the height in column {} of row {} of {}", column + 1, row + 1, rows);
      const double value = word ? words.number_of(*word, what) : words.number(what);
      word.reset();  // it was the first one
      heights_[(rows - 1 - row) * columns + column] =
          none != header.end() && value == none->second ? std::numeric_limits<double>::quiet_NaN() : value;
    }
  }
  if (const auto more = words.next())
    words.refuse(more, fmt::format("there are more heights than the {} x {} of the header", columns, rows));
}

void Raster::read_hdf5(const std::filesystem::path& path) {
  const auto file = Hdf5Input::open(path);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::case_file, what + "; a grid has the arrays x and y, ascending, and bed, rows of y",
                path.string());
  };
  x_ = file->values("x");
  y_ = file->values("y");
  heights_ = file->values("bed");
  for (const auto* places : {&x_, &y_}) {
    const char* name = places == &x_ ? "x" : "y";
    if (places->empty()) refuse(fmt::format("the array {} is empty", name));
    for (std::size_t k = 1; k < places->size(); ++k)
      if (!((*places)[k] > (*places)[k - 1]))
        refuse(fmt::format("{}[{}] is {}, and {} comes before it", name, k, (*places)[k], (*places)[k - 1]));
  }
  if (heights_.size() != x_.size() * y_.size() || file->rows("bed") != std::ssize(y_))
    refuse(fmt::format("the array bed has {} rows and {} heights, x has {} and y {}", file->rows("bed"),
                       heights_.size(), x_.size(), y_.size()));
  low_ = {x_.front(), y_.front()};
  high_ = {x_.back(), y_.back()};
}

std::optional<double> Raster::at(Point point) const {
  const double rounding = 1e-9 * std::max(high_.x - low_.x, high_.y - low_.y);
  const bool inside = point.x >= low_.x - rounding && point.x <= high_.x + rounding && point.y >= low_.y - rounding &&
                      point.y <= high_.y + rounding;
  if (!inside) return std::nullopt;
  const auto [column, across] = between(x_, point.x);
  const auto [row, up] = between(y_, point.y);
  double sum = 0.0;
  for (const std::size_t i : {0, 1}) {
    for (const std::size_t j : {0, 1}) {
      const double share = (i == 0 ? 1 - across : across) * (j == 0 ? 1 - up : up);
      if (share > 0.0) sum += share * heights_[(row + j) * x_.size() + column + i];
    }
  }
  return std::isfinite(sum) ? std::optional(sum) : std::nullopt;
}

std::string Raster::extent() const {
  return fmt::format("x from {} to {}, y from {} to {}", low_.x, high_.x, low_.y, high_.y);
}

}  // namespace quoin
