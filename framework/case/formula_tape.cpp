#include "case/formula_tape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "case/expression.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr unsigned on_x = 1, on_y = 2, on_third = 4;
constexpr std::size_t at_once = 512;  // points: the rows of some tens of operations stay in the second cache

/// Of operands that vary or are the same at all points.
template <class Two>
void each(std::size_t count, const double* a, bool wide_a, const double* b, bool wide_b, double* result,
          const Two& two) {
  if (wide_a && wide_b) {
    for (std::size_t k = 0; k < count; ++k) result[k] = two(a[k], b[k]);
  } else if (wide_a) {
    for (std::size_t k = 0; k < count; ++k) result[k] = two(a[k], *b);
  } else {
    for (std::size_t k = 0; k < count; ++k) result[k] = two(*a, b[k]);
  }
}

const ElementaryFunction* widest(const char* name) { return (*elementary_functions())->find(name); }

}  // namespace

/// Reads a formula by its grammar: ?: binds least, then || && comparisons + - * / and signs, ^ most and from the right.
class FormulaTape::Reader {
 public:
  Reader(FormulaTape& tape, std::string_view text) : tape_(tape), rest_(text) {}

  Slot all() {
    const Slot slot = choice();
    if (!next().empty()) fail();
    return slot;
  }

 private:
  struct Operator {
    std::string_view text;
    Code code;
  };

  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    return rest_;
  }
  bool take(std::string_view word) {
    if (!next().starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  [[noreturn]] void fail() const {
    throw Error(ErrorKind::bug, "a formula that was found right is not understood at '" + std::string(rest_) + "'");
  }

  Slot choice() {
    const Slot condition = binary(0);
    if (!take("?")) return condition;
    const Slot yes = choice();
    if (!take(":")) fail();
    return tape_.append({Code::choose, {condition, yes, choice()}});
  }

  Slot binary(std::size_t level) {
    static const std::vector<std::vector<Operator>> levels{{{"||", Code::either}},
                                                           {{"&&", Code::both}},
                                                           {{"<=", Code::less_equal},
                                                            {">=", Code::greater_equal},
                                                            {"!=", Code::unequal},
                                                            {"==", Code::equal},
                                                            {"<", Code::less},
                                                            {">", Code::greater}},
                                                           {{"+", Code::add}, {"-", Code::subtract}},
                                                           {{"*", Code::multiply}, {"/", Code::divide}}};
    if (level == levels.size()) return factor();
    Slot left = binary(level + 1);
    for (;;) {
      const auto& here = levels[level];
      const auto found = std::ranges::find_if(here, [this](const Operator& one) { return take(one.text); });
      if (found == here.end()) return left;
      left = tape_.append({found->code, {left, binary(level + 1)}});
    }
  }

  Slot factor() {
    if (take("-")) return tape_.append({Code::negate, {factor()}});
    if (take("+")) return factor();
    const Slot base = primary();
    return take("^") ? power(base, factor()) : base;
  }

  /// That of a variable is the same on every machine as a product.
  Slot power(Slot base, Slot exponent) {
    const double number = tape_.constant(exponent) ? tape_.scalars_[exponent] : 0.0;
    if (tape_.constant(base) || (number != 2.0 && number != 3.0 && number != 4.0))
      return tape_.append({.code = Code::elementary, .operands = {base, exponent}, .elementary = widest("pow")});
    Slot product = base;
    for (int factors = 1; factors < static_cast<int>(number); ++factors)
      product = tape_.append({Code::multiply, {product, base}});
    return product;
  }

  Slot primary() {
    if (take("(")) {
      const Slot inside = choice();
      if (!take(")")) fail();
      return inside;
    }
    const std::string word(name_at(next()));
    if (word.empty()) return literal();
    rest_.remove_prefix(word.size());
    if (const auto known = tape_.names_.find(word); known != tape_.names_.end()) return known->second;
    return call(word);
  }

  Slot literal() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() && error != std::errc::result_out_of_range) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return tape_.number(value);
  }

  Slot call(const std::string& word) {
    const FormulaFunction function = formula_function(word);
    if (function.call == nullptr || !take("(")) fail();
    std::vector<Slot> arguments{choice()};
    while (take(",")) arguments.push_back(choice());
    if (!take(")")) fail();
    const bool fixed = function.arguments == static_cast<int>(arguments.size());
    if (function.arguments >= 0 && (!fixed || arguments.size() > 2)) fail();
    if (const ElementaryFunction* const known = widest(word.c_str()))
      return tape_.append({.code = Code::elementary, .operands = std::move(arguments), .elementary = known});
    const Code code = function.arguments < 0           ? Code::list
                      : fixed && arguments.size() == 1 ? Code::one_argument
                                                       : Code::two_arguments;
    return tape_.append({code, std::move(arguments), function.call});
  }

  FormulaTape& tape_;
  std::string_view rest_;
};

bool FormulaTape::Operation::operator==(const Operation& other) const {
  return code == other.code && operands == other.operands && function == other.function && number == other.number &&
         elementary == other.elementary && std::signbit(number) == std::signbit(other.number);
}

FormulaTape::FormulaTape(char third) {
  append({.code = Code::x, .depends = on_x});
  append({.code = Code::y, .depends = on_y});
  append({.code = Code::third, .depends = on_third});
  names_ = {{"x", 0}, {"y", 1}, {std::string(1, third), 2}};
  name("pi", std::numbers::pi);
}

void FormulaTape::name(const std::string& name, double constant) { names_[name] = number(constant); }

FormulaTape::Slot FormulaTape::number(double value) { return append({.code = Code::constant, .number = value}); }

FormulaTape::Slot FormulaTape::add(std::string_view text) {
  last_ = Reader(*this, text).all();
  return last_;
}

/// What is constant is computed at once.
FormulaTape::Slot FormulaTape::append(Operation operation) {
  for (const Slot operand : operation.operands) operation.depends |= operations_[operand].depends;
  const auto same = std::ranges::find(operations_, operation);
  if (same != operations_.end()) return static_cast<Slot>(same - operations_.begin());
  operations_.push_back(std::move(operation));
  scalars_.push_back(operations_.back().number);
  rows_.emplace_back();
  const Slot slot = operations_.size() - 1;
  varying_ = 0;
  if (constant(slot)) compute(slot, 1);
  return slot;
}

bool FormulaTape::depends_on_third() const { return (operations_[last_].depends & on_third) != 0; }

/// Where values of a slot lie, from the points at hand on; one value where they have it in common.
const double* FormulaTape::operand(Slot slot) const {
  if (!wide(slot)) return &scalars_[slot];
  if (slot < points_.size()) return points_[slot];
  return rows_[slot].data() + (operations_[slot].depends == on_x ? first_ : 0);
}
double* FormulaTape::result(Slot slot) { return const_cast<double*>(std::as_const(*this).operand(slot)); }

void FormulaTape::compute(Slot slot, std::size_t count) {
  const Operation& operation = operations_[slot];
  double* const values = result(slot);
  const auto of = [&](std::size_t k) { return operand(operation.operands[k]); };
  const auto is_wide = [&](std::size_t k) { return wide(operation.operands[k]); };
  const auto one = [&](const auto& function) {
    const double* const a = of(0);
    for (std::size_t k = 0; k < count; ++k) values[k] = function(a[k]);
  };
  const auto two = [&](const auto& function) { each(count, of(0), is_wide(0), of(1), is_wide(1), values, function); };
  const auto by_truth = [&](const auto& function) {
    two([&](double a, double b) { return function(a, b) ? 1.0 : 0.0; });
  };
  switch (operation.code) {
    case Code::constant:
    case Code::x:
    case Code::y:
    case Code::third:
      return;
    case Code::negate:
      return one([](double a) { return -a; });
    case Code::add:
      return two([](double a, double b) { return a + b; });
    case Code::subtract:
      return two([](double a, double b) { return a - b; });
    case Code::multiply:
      return two([](double a, double b) { return a * b; });
    case Code::divide:
      return two([](double a, double b) { return a / b; });
    case Code::less:
      return by_truth([](double a, double b) { return a < b; });
    case Code::less_equal:
      return by_truth([](double a, double b) { return a <= b; });
    case Code::greater:
      return by_truth([](double a, double b) { return a > b; });
    case Code::greater_equal:
      return by_truth([](double a, double b) { return a >= b; });
    case Code::equal:
      return by_truth([](double a, double b) { return a == b; });
    case Code::unequal:
      return by_truth([](double a, double b) { return a != b; });
    case Code::both:
      return by_truth([](double a, double b) { return a != 0.0 && b != 0.0; });
    case Code::either:
      return by_truth([](double a, double b) { return a != 0.0 || b != 0.0; });
    case Code::choose: {
      const std::array from{of(0), of(1), of(2)};
      const std::array<std::size_t, 3> step{is_wide(0), is_wide(1), is_wide(2)};
      for (std::size_t k = 0; k < count; ++k)
        values[k] = from[0][k * step[0]] != 0.0 ? from[1][k * step[1]] : from[2][k * step[2]];
      return;
    }
    case Code::elementary: {
      const ElementaryFunction& function = *operation.elementary;
      if (function.of_one != nullptr) return function.of_one(of(0), values, count);
      return function.of_two(of(0), is_wide(0), of(1), is_wide(1), values, count);
    }
    case Code::one_argument:
      return one(reinterpret_cast<double (*)(double)>(operation.function));
    case Code::two_arguments:
      return two(reinterpret_cast<double (*)(double, double)>(operation.function));
    case Code::list: {
      const auto function = reinterpret_cast<double (*)(const double*, int)>(operation.function);
      std::vector<double> given(operation.operands.size());
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t n = 0; n < given.size(); ++n) given[n] = of(n)[is_wide(n) ? k : 0];
        values[k] = function(given.data(), static_cast<int>(given.size()));
      }
      return;
    }
  }
}

/// Those that all points have in common.
void FormulaTape::compute_common() {
  for (Slot slot = 0; slot < operations_.size(); ++slot)
    if (!constant(slot) && !wide(slot)) compute(slot, 1);
}

/// The others at the points at hand, but for those that depend on `known` alone.
void FormulaTape::compute_rows(std::size_t count, unsigned known) {
  for (Slot slot = points_.size(); slot < operations_.size(); ++slot) {
    if (!wide(slot) || operations_[slot].depends == known) continue;
    if (rows_[slot].size() < count) rows_[slot].resize(count);
    compute(slot, count);
  }
}

void FormulaTape::give(std::span<double> values) const {
  if (wide(last_))
    std::copy_n(operand(last_), values.size(), values.begin());
  else
    std::ranges::fill(values, scalars_[last_]);
}

void FormulaTape::evaluate(const Points& points, std::span<double> values) {
  const std::array spans{points.x, points.y, points.third};
  varying_ = 0;
  for (std::size_t v = 0; v < spans.size(); ++v) {
    if (spans[v].size() > 1) varying_ |= 1U << v;
    scalars_[v] = spans[v].front();
  }
  compute_common();
  first_ = 0;
  for (std::size_t done = 0; done < values.size(); done += at_once) {
    const std::size_t count = std::min(at_once, values.size() - done);
    for (std::size_t v = 0; v < spans.size(); ++v)
      if (spans[v].size() > 1) points_[v] = spans[v].data() + done;
    compute_rows(count, 0);
    give(values.subspan(done, count));
  }
}

void FormulaTape::set_columns(std::span<const double> x) {
  columns_.assign(x.begin(), x.end());
  varying_ = on_x;
  points_[0] = columns_.data();
  first_ = 0;
  for (Slot slot = points_.size(); slot < operations_.size(); ++slot) {
    if (operations_[slot].depends != on_x) continue;
    rows_[slot].resize(columns_.size());
    compute(slot, columns_.size());
  }
}

void FormulaTape::row(double y, double third, std::span<double> values) {
  varying_ = on_x;
  scalars_[1] = y;
  scalars_[2] = third;
  compute_common();
  for (first_ = 0; first_ < values.size(); first_ += at_once) {
    const std::size_t count = std::min(at_once, values.size() - first_);
    points_[0] = columns_.data() + first_;
    compute_rows(count, on_x);
    give(values.subspan(first_, count));
  }
}

double FormulaTape::at(double x, double y, double third) {
  varying_ = 0;
  scalars_[0] = x;
  scalars_[1] = y;
  scalars_[2] = third;
  compute_common();
  return scalars_[last_];
}

}  // namespace quoin
