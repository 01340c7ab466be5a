#pragma once

#include <cstddef>

// No header with inline functions: the linker could keep those of one instruction set for all.

namespace quoin {

/// A function of arrays of doubles.
struct ElementaryFunction {
  const char* name;  ///< as in a formula
  /// result[k] = f(x[k]), k < count; null: it has two arguments. The arrays may be the same.
  void (*of_one)(const double* x, double* result, std::size_t count);
  /// result[k] = f(x[k], y[k]), k < count; of an array that is not wide the first value stands for all.
  void (*of_two)(const double* x, bool wide_x, const double* y, bool wide_y, double* result, std::size_t count);
};

/// SLEEF's deterministic functions without fused operations: within 1.0 ulp, the same bits by every instruction set, at
/// every place of an array.
struct ElementaryFunctions {
  const char* instruction_set;
  const ElementaryFunction* first;  ///< the last has no name

  /// Null: there is none of that name.
  [[nodiscard]] const ElementaryFunction* find(const char* name) const;
};

/// Of one number, by a function of one argument that there is.
double elementary(const char* name, double x);

/// The library and its version.
const char* elementary_library();

/// By the instruction sets that this machine has, the widest first; ends with null.
const ElementaryFunctions* const* elementary_functions();

}  // namespace quoin
