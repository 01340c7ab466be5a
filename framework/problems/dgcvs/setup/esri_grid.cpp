#include "problems/dgcvs/setup/esri_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "problems/dgcvs/setup/words.hpp"

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

}  // namespace

HeightGrid read_esri_grid(const std::filesystem::path& path) {
  HeightGrid grid;
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
  grid.low = {corner_of(words, header, "x", size), corner_of(words, header, "y", size)};
  grid.high = {grid.low.x + static_cast<double>(columns) * size, grid.low.y + static_cast<double>(rows) * size};
  for (std::size_t k = 0; k < columns; ++k) grid.x.push_back(grid.low.x + (static_cast<double>(k) + 0.5) * size);
  for (std::size_t k = 0; k < rows; ++k) grid.y.push_back(grid.low.y + (static_cast<double>(k) + 0.5) * size);
  const auto none = header.find("nodata_value");
  for (std::size_t row = 0; row < rows; ++row) {  // from above
    for (std::size_t column = 0; column < columns; ++column) {
      const std::string what = fmt::format("the height in column {} of row {} of {}", column + 1, row + 1, rows);
      const double value = word ? words.number_of(*word, what) : words.number(what);
      word.reset();  // it was the first one
      grid.heights.push_back(none != header.end() && value == none->second ? std::numeric_limits<double>::quiet_NaN()
                                                                           : value);
    }
  }
  for (std::size_t row = 0; row < rows / 2; ++row)
    std::swap_ranges(&grid.heights[row * columns], &grid.heights[row * columns] + columns,
                     &grid.heights[(rows - 1 - row) * columns]);
  if (const auto more = words.next())
    words.refuse(more, fmt::format("there are more heights than the {} x {} of the header", columns, rows));
  return grid;
}

}  // namespace quoin
