#pragma once

// Scalars of a case file, read strictly: what could be taken for something else is refused.

#include <cstdint>
#include <string>
#include <string_view>

#include "quoin/case.hpp"

namespace quoin {

/// Each reads the whole text into `value` and returns an empty text, or what is wrong with it.
std::string read_integer(std::string_view text, std::int64_t& value);
std::string read_real(std::string_view text, double& value);
std::string read_boolean(std::string_view text, bool& value);
/// Seconds, or a number with a unit of time: `5 min`, `10 minutes`, `1 day`, `2h`. Never negative.
std::string read_duration(std::string_view text, double& seconds);

/// The shortest decimal text that reads back to `value`, in any locale.
std::string write_real(double value);

/// What a key may be, in words: `1 to 100`, `greater than 0 Pa`, `auto, classic or fused`; empty: anything.
std::string allowed(const Key& key);
/// How many values a list may have at most.
std::size_t most_values(const Key& key);
/// How a point is written: `[x, y]`, and where it may lie in space `[x, y] or [x, y, z]`.
std::string form_of_points(const Key& key);
/// The type in words: `2 integers`, `2 to 3 integers`.
std::string type_name(const Key& key);

}  // namespace quoin
