#pragma once

#include <cstdio>
#include <string>

namespace quoin {

/// Bytes as people read them: `1000 bytes`, `62.5 KiB`, `387.2 MiB`, `12.4 GiB`. Never more than GiB, so that what is
/// needed compares with what there is.
inline std::string in_bytes(double bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
  int unit = 0;
  for (; bytes >= 1024.0 && unit < 3; ++unit) bytes /= 1024.0;
  char text[400];  // the largest double has 309 digits
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

}  // namespace quoin
