#include "case/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace quoin {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// `010` is 8 to some readers of YAML, 10 to others.
bool leading_zero(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && digit(text[1]);
}

// from_chars takes no plus.
std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

// `1.5e3` is 1500. The digits of a number with an exponent, where it is an integer of at most 20 of them; else empty.
std::string integer_of_exponent(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  if (mark == std::string_view::npos) return "";
  std::string digits(text.substr(0, mark));
  std::string_view power = without_plus(text.substr(mark + 1));
  int exponent = 0;
  const auto [stop, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (error != std::errc() || stop != power.data() + power.size() || exponent < -20 || exponent > 20) return "";
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
  if (exponent < 0) return "";
  digits.append(static_cast<std::size_t>(exponent), '0');
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  digits.erase(sign, std::min(digits.find_first_not_of('0', sign), digits.size() - 1) - sign);
  return digits;
}

}  // namespace

std::string read_integer(std::string_view text, std::int64_t& value) {
  std::string_view number = without_plus(text);
  const std::string_view digits = number.starts_with('-') ? number.substr(1) : number;
  std::string written_out;
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), digit)) {
    double real = 0.0;
    if (!read_real(text, real).empty()) return fmt::format("{} is not an integer", shown(text));
    written_out = integer_of_exponent(number);
    if (written_out.empty())
      return fmt::format("{} is a real number; an integer is written without a fraction: 1000 or 1e3", shown(text));
    number = written_out;
  }
  if (leading_zero(number)) return fmt::format("{} starts with a zero; remove it", shown(text));
  if (std::from_chars(number.data(), number.data() + number.size(), value).ec != std::errc())
    return fmt::format("{} does not fit into 64 bits", shown(text));
  return "";
}

std::string read_real(std::string_view text, double& value) {
  // from_chars also reads `inf` and `nan`, which no case may hold.
  const bool letters = text.find_first_not_of("0123456789+-.eE") != std::string_view::npos;
  const std::string_view number = without_plus(text);
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (letters || stop != end || error == std::errc::invalid_argument)
    return fmt::format("{} is not a real number", shown(text));
  if (leading_zero(number)) return fmt::format("{} starts with a zero; remove it", shown(text));
  if (error == std::errc::result_out_of_range)
    return fmt::format("{} does not fit into a double (largest 1.8e308, smallest 4.9e-324)", shown(text));
  return "";
}

std::string read_boolean(std::string_view text, bool& value) {
  if (text != "true" && text != "false") return fmt::format("{} is neither true nor false", shown(text));
  value = text == "true";
  return "";
}

std::string read_duration(std::string_view text, double& seconds) {
  struct Unit {
    double seconds;
    std::array<std::string_view, 5> names;
  };
  constexpr std::array units{
      Unit{1.0, {"s", "sec", "secs", "second", "seconds"}}, Unit{60.0, {"min", "mins", "minute", "minutes", "minutes"}},
      Unit{3600.0, {"h", "hr", "hrs", "hour", "hours"}}, Unit{86400.0, {"d", "day", "days", "day", "days"}}};
  const std::size_t letter = text.find_first_of("abcdefghijklmnopqrstuvwxyz", 1);
  const bool exponent = letter != std::string_view::npos && text[letter] == 'e';  // no unit starts with it
  const std::size_t end = exponent ? text.find_first_of("abcdfghijklmnopqrstuvwxyz", letter) : letter;
  const std::string_view unit = end == std::string_view::npos ? "s" : text.substr(end);
  std::string_view number = text.substr(0, end);
  if (number.ends_with(' ') && end != std::string_view::npos) number.remove_suffix(1);
  const auto known = std::find_if(units.begin(), units.end(), [&](const Unit& row) {
    return std::find(row.names.begin(), row.names.end(), unit) != row.names.end();
  });
  double value = 0.0;
  if (known == units.end() || !read_real(number, value).empty() || value < 0.0)
    return fmt::format("{} is not a time; write seconds, or a number with s, min, h or day, as 10 min", shown(text));
  seconds = value * known->seconds;
  return std::isfinite(seconds) ? "" : fmt::format("{} is longer than any number of seconds", shown(text));
}

std::string write_real(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string allowed(const Key& key) {
  if (key.type == KeyType::choice) return listed(key.choices, "or");
  // Bounds are numbers for people: integers without an exponent.
  const auto number = [&](double bound) {
    return key.type == KeyType::integer || key.type == KeyType::integers
               ? fmt::format("{}", static_cast<std::int64_t>(bound))
               : write_real(bound);
  };
  std::string range;
  if (key.minimum && key.maximum)
    range = fmt::format("{}{} to {}", key.above_minimum ? "above " : "", number(*key.minimum), number(*key.maximum));
  else if (key.minimum)
    range = fmt::format("{} {}", key.above_minimum ? "greater than" : "at least", number(*key.minimum));
  else if (key.maximum)
    range = fmt::format("at most {}", number(*key.maximum));
  if (!range.empty() && !key.unit.empty()) range += " " + key.unit;
  if (key.increasing) range += range.empty() ? "increasing" : ", increasing";
  return range;
}

std::size_t most_values(const Key& key) { return std::max(key.count, key.count_at_most); }

std::string form_of_points(const Key& key) { return key.coordinates == 3 ? "[x, y] or [x, y, z]" : "[x, y]"; }

std::string type_name(const Key& key) {
  const auto counts = [&] {
    return most_values(key) == key.count ? fmt::format("{}", key.count)
                                         : fmt::format("{} to {}", key.count, most_values(key));
  };
  switch (key.type) {
    case KeyType::text:
      return "text";
    case KeyType::choice:
      return "choice";
    case KeyType::boolean:
      return "boolean";
    case KeyType::integer:
      return "integer";
    case KeyType::real:
      return "real number";
    case KeyType::integers:
      return fmt::format("{} integers", counts());
    case KeyType::reals:
      return fmt::format("{} real numbers", counts());
    case KeyType::points:
      return fmt::format("{} or more points {}", key.count, form_of_points(key));
    case KeyType::expression:
      return key.choices.empty() ? "expression" : fmt::format("expression or `{}`", fmt::join(key.choices, "`, `"));
    case KeyType::duration:
      return "duration";
  }
  return "";
}

}  // namespace quoin
