#pragma once

#include <optional>
#include <set>
#include <span>
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

/// What a formula may name besides x, y and pi.
struct FormulaNames {
  const Expression::Constants& constants;
  std::set<std::string> definitions{};
  char third = 't';  ///< t, or z where the problem lies in space; 0: x and y are all
};

/// Checks a formula without keeping it.
std::optional<FormulaFault> check_formula(const std::string& text, const FormulaNames& names);

/// The functions that a formula may call.
std::vector<std::string> formula_functions();

/// A function that a formula may call.
struct FormulaFunction {
  void (*call)() = nullptr;  ///< of one or two numbers; with arguments < 0 of (const double*, int); null: there is none
  int arguments = 0;
};
FormulaFunction formula_function(std::string_view name);

/// The name that a text starts with; empty: none.
std::string_view name_at(std::string_view text);

/// What any problem may give to its formulas: nx, ny, lx and ly, here with the value 1.
const Expression::Constants& problem_constants();

/// What the name already means in formulas, such as `a function`; empty: nothing.
std::string meaning_of_name(const std::string& name);

/// The names in a formula, those of functions included, whether it is right or not.
std::set<std::string> words_of(std::string_view formula);

/// Those of the definitions that the formula uses, itself or through others, in their order. Each may use those before
/// it.
std::vector<Definition> used_definitions(std::string_view formula, std::span<const Definition> definitions);

/// What to write in place of a word or an operator that other languages have; empty: not known.
std::string formula_advice(std::string_view word);

}  // namespace quoin
