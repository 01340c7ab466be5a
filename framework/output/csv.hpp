#pragma once

#include <span>
#include <string>
#include <vector>

#include "quoin/fields.hpp"

namespace quoin {

/// The head line of a CSV file.
std::string csv_head(const std::vector<std::string>& columns);
/// A line a row, numbers in their shortest form. ErrorKind::bug where a row is not `width` wide.
std::string csv_lines(std::span<const Row> rows, std::size_t width);

}  // namespace quoin
