#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "case/elementary.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// Formulas as a list of operations, each on many points at once. They are done as they are written, never rearranged;
/// but what is written twice is computed once, and v^2, v^3 and v^4 of what varies are products. What all points have
/// in common is computed once for all of them. Functions are those of ElementaryFunctions, and muParser's simple ones.
/// Not safe to share between threads.
class FormulaTape {
 public:
  using Points = Expression::Points;
  using Slot = std::size_t;  ///< the place of an operation

  explicit FormulaTape(char third);
  void name(const std::string& name, double constant);
  void name(const std::string& name, Slot value) { names_[name] = value; }
  /// Adds a formula, which muParser has found to be one, and which is the last so far. Throws ErrorKind::bug where it
  /// is none.
  Slot add(std::string_view text);

  /// Whether the last formula depends on no variable, and on the third.
  [[nodiscard]] bool constant() const { return constant(last_); }
  [[nodiscard]] bool depends_on_third() const;
  /// It at each of these points.
  void evaluate(const Points& points, std::span<double> values);
  /// The values of x along rows to come, for which all that depends on x alone is computed now; evaluate() forgets it.
  void set_columns(std::span<const double> x);
  void row(double y, double third, std::span<double> values);
  /// It at a point.
  double at(double x, double y, double third);
  /// What a formula was at the last point of at().
  [[nodiscard]] double value(Slot slot) const { return scalars_[slot]; }

 private:
  enum class Code {
    constant,
    x,
    y,
    third,
    negate,
    add,
    subtract,
    multiply,
    divide,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    unequal,
    both,
    either,
    choose,
    elementary,
    one_argument,
    two_arguments,
    list
  };
  using Function = void (*)();
  struct Operation {
    Code code;
    std::vector<Slot> operands{};
    Function function = nullptr;
    const ElementaryFunction* elementary = nullptr;
    double number = 0.0;
    unsigned depends = 0;  // on x, y, third: bits
    bool operator==(const Operation& other) const;
  };
  class Reader;

  Slot append(Operation operation);
  Slot number(double value);
  void compute(Slot slot, std::size_t count);
  void compute_common();
  void compute_rows(std::size_t count, unsigned known);
  void give(std::span<double> values) const;
  [[nodiscard]] bool constant(Slot slot) const { return operations_[slot].depends == 0; }
  [[nodiscard]] bool wide(Slot slot) const { return (operations_[slot].depends & varying_) != 0; }
  [[nodiscard]] const double* operand(Slot slot) const;
  [[nodiscard]] double* result(Slot slot);

  std::map<std::string, Slot, std::less<>> names_;
  std::vector<Operation> operations_;  // those that others need come first: x, y and the third variable
  Slot last_ = 0;

  unsigned varying_ = 0;                   // the variables that the points of a run do not have in common
  std::vector<double> scalars_;            // values of operations that do not depend on them
  std::vector<std::vector<double>> rows_;  // else, of the points at hand, or of all columns
  std::array<const double*, 3> points_{};  // where the variables lie, from the points at hand on
  std::vector<double> columns_;
  std::size_t first_ = 0;  // of the columns at hand
};

}  // namespace quoin
