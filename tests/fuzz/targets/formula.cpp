// Any text as a formula: one that can be evaluated anywhere, or a mistake at one of its characters.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "case/expression.hpp"
#include "quoin/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const quoin::Expression::Constants constants{{"a", 1.5}, {"gamma", 1.4}};
  static const auto functions = quoin::formula_functions();
  if (functions.empty()) std::abort();
  const auto fault = quoin::check_formula(text, {constants});
  if (fault && (fault->position < 0 || static_cast<std::size_t>(fault->position) > text.size())) std::abort();
  try {
    const quoin::Expression formula(text, constants, {"case.yaml", 1, 1});
    if (formula.text() != text || formula.place().line != 1) std::abort();
    const double value = formula(0.3, -2.0, 0.1);
    if (formula.constant() && value != formula(7.0, 8.0, 9.0) && value == value) std::abort();
    if (fault) std::abort();
  } catch (const quoin::Error& error) {
    if (!fault || error.kind() != quoin::ErrorKind::case_file) std::abort();
  }
  return 0;
}
