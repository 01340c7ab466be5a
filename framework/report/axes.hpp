#pragma once

#include <string>

namespace quoin {

/// Commands for gnuplot that set the ticks of an axis, `x`, `y` or `cb`, from `low` to `high`, which has so many pixels
/// on the page. gnuplot's own choice does not know how long the labels are.

/// At round numbers, as many as there is room for, with as many digits as tell them apart.
struct Ticks {
  std::string commands;
  std::size_t letters = 0;  ///< of the longest label
};
Ticks linear_ticks(const std::string& axis, double low, double high, double pixels);
/// The same, and the axis from `low` to `high`, or to the round numbers around them.
std::string linear_axis(const std::string& axis, double low, double high, double pixels, bool round = false);
/// A logarithmic axis with some room around: ticks at powers of ten, or where it has few of those at other round
/// numbers.
std::string log_axis(const std::string& axis, double low, double high, double pixels, bool room = true);

}  // namespace quoin
