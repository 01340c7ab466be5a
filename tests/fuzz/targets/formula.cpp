// Any text as a formula: one that can be evaluated anywhere, at a point as along a row, or a mistake at one of its
// characters. Lines before the last are definitions d0, d1 and so on, which those after them may use.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "case/expression.hpp"
#include "quoin/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  const quoin::Expression::Constants constants{{"a", 1.5}, {"gamma", 1.4}};
  static const auto functions = quoin::formula_functions();
  if (functions.empty()) std::abort();
  quoin::FormulaNames names{constants};
  std::vector<quoin::Definition> definitions;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
    const std::string formula = text.substr(0, end);
    text.erase(0, end + 1);
    if (quoin::check_formula(formula, names)) return 0;
    definitions.push_back({"d" + std::to_string(definitions.size()), formula});
    names.definitions.insert(definitions.back().name);
  }
  for (const std::string& word : quoin::words_of(text))
    if (text.find(word) == std::string::npos || quoin::meaning_of_name(word) == word) std::abort();
  const auto fault = quoin::check_formula(text, names);
  if (fault && (fault->position < 0 || static_cast<std::size_t>(fault->position) > text.size())) std::abort();
  try {
    const quoin::Expression formula(text, constants, {"case.yaml", 1, 1}, definitions);
    if (formula.text() != text || formula.place().line != 1) std::abort();
    const double value = formula(0.3, -2.0, 0.1);
    if (formula.constant() && (value != formula(7.0, 8.0, 9.0) && value == value)) std::abort();
    if (!formula.uses_time() && (value != formula(0.3, -2.0, 5.0) && value == value)) std::abort();
    const double x[] = {0.3, -4.0};
    double row[2];
    formula.set_columns(x);
    formula.row(-2.0, 0.1, row);
    if (row[0] != value && (row[0] == row[0] || value == value)) std::abort();
    if (const auto* blamed = formula.not_finite(); blamed != nullptr && definitions.empty()) std::abort();
    if (fault) std::abort();
  } catch (const quoin::Error& error) {
    if (!fault || error.kind() != quoin::ErrorKind::case_file) std::abort();
  }
  return 0;
}
