#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/case.hpp"

namespace quoin {

/// What is wrong with a formula, at which of its characters (from 0).
struct FormulaFault {
  std::string message;
  int position = 0;
  int length = 1;
};

/// Checks a formula without keeping it.
std::optional<FormulaFault> check_formula(const std::string& text, const Expression::Constants& constants);

/// The functions that a formula may call.
std::vector<std::string> formula_functions();

}  // namespace quoin
