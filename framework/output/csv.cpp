#include "output/csv.hpp"

#include <array>
#include <charconv>

#include "quoin/error.hpp"

namespace quoin {

std::string csv_head(const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "" : ",") + column;
  return text + "\n";
}

std::string csv_lines(std::span<const Row> rows, std::size_t width) {
  std::string text;
  for (const Row& row : rows) {
    if (row.size() != width)
      throw Error(ErrorKind::bug, "a row of " + std::to_string(row.size()) + " numbers in a table of " +
                                      std::to_string(width) + " columns");
    const char* before = "";
    for (const Number& number : row) {
      text += before;
      // In place: a run's device may wait while its history is written.
      std::array<char, 64> digits;
      const auto result = std::visit(
          [&](auto value) { return std::to_chars(digits.data(), digits.data() + digits.size(), value); }, number);
      text.append(digits.data(), result.ptr);
      before = ",";
    }
    text += "\n";
  }
  return text;
}

}  // namespace quoin
