#include "case/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "case/text.hpp"

namespace quoin {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// `010` is 8 to some readers of YAML, 10 to others.
bool leading_zero(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && digit(text[1]);
}

}  // namespace

std::string read_integer(std::string_view text, std::int64_t& value) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), digit)) {
    double real = 0.0;
    if (read_real(text, real).empty())
      return fmt::format("{} is a real number; an integer is written in digits only", shown(text));
    return fmt::format("{} is not an integer", shown(text));
  }
  if (leading_zero(text)) return fmt::format("{} starts with a zero; remove it", shown(text));
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
    return fmt::format("{} does not fit into 64 bits", shown(text));
  return "";
}

std::string read_real(std::string_view text, double& value) {
  // from_chars also reads `inf` and `nan`, which no case may hold.
  const bool letters = text.find_first_not_of("0123456789+-.eE") != std::string_view::npos;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (letters || stop != end || error == std::errc::invalid_argument)
    return fmt::format("{} is not a real number", shown(text));
  if (leading_zero(text)) return fmt::format("{} starts with a zero; remove it", shown(text));
  if (error == std::errc::result_out_of_range)
    return fmt::format("{} does not fit into a double (largest 1.8e308, smallest 4.9e-324)", shown(text));
  return "";
}

std::string read_boolean(std::string_view text, bool& value) {
  if (text != "true" && text != "false") return fmt::format("{} is neither true nor false", shown(text));
  value = text == "true";
  return "";
}

std::string write_real(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string allowed(const Key& key) {
  if (!key.choices.empty()) return listed(key.choices, "or");
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

std::string type_name(const Key& key) {
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
      return fmt::format("{} integers", key.count);
    case KeyType::reals:
      return fmt::format("{} real numbers", key.count);
    case KeyType::points:
      return fmt::format("{} or more points [x, y]", key.count);
    case KeyType::expression:
      return "expression";
  }
  return "";
}

}  // namespace quoin
