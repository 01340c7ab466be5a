#pragma once

#include <array>
#include <string>

namespace quoin {

/// A colour of the charts on a light page, by which scripts name it, and on a dark one.
struct Colour {
  const char* light;
  const char* dark;
};

namespace theme {

inline constexpr Colour ink{"#374151", "#d1d5db"};
inline constexpr Colour frame{"#6b7280", "#8b95a3"};
inline constexpr Colour grid{"#e5e7eb", "#373d46"};
/// Of the series: Okabe and Ito's, which the colour-blind tell apart.
inline constexpr std::array series{Colour{"#0072b2", "#4fa8e6"}, Colour{"#d55e00", "#f08a4b"},
                                   Colour{"#009e73", "#36c79e"}, Colour{"#cc79a7", "#e3a1c6"},
                                   Colour{"#e69f00", "#f3bf57"}, Colour{"#56b4e9", "#a3d8f7"},
                                   Colour{"#000000", "#f3f4f6"}, Colour{"#999999", "#aab1bb"}};

}  // namespace theme

/// The SVG of a chart with the colours above as variables that follow `prefers-color-scheme`; black is ink. Others, as
/// those of a field's palette, stay as they are.
std::string themed(const std::string& svg);

}  // namespace quoin
