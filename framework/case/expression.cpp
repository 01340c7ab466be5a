#include "case/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "case/text.hpp"
#include "quoin/error.hpp"

namespace quoin {

// The variables live beside the muParser object that points at them, so this never moves.
struct Expression::Parser {
  std::string text;
  Place place;
  mu::Parser formula;
  double x = 0.0;
  double y = 0.0;
  double t = 0.0;
  bool constant = false;
};

namespace {

constexpr std::size_t longest = 4096;
constexpr int deepest = 200;

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool word_character(char c) { return letter(c) || (c >= '0' && c <= '9'); }

double power(double base, double exponent) { return std::pow(base, exponent); }
double floor_of(double value) { return std::floor(value); }
double ceil_of(double value) { return std::ceil(value); }

void define_functions(mu::Parser& formula) {
  formula.ClearConst();
  formula.DefineConst("pi", std::numbers::pi);
  formula.DefineFun("pow", power);
  formula.DefineFun("floor", floor_of);
  formula.DefineFun("ceil", ceil_of);
}

// What muParser would accept or choke on.
std::optional<FormulaFault> check_text(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return FormulaFault{"the formula is empty"};
  if (text.size() > longest)
    return FormulaFault{fmt::format("a formula may have {} characters; this one has {}", longest, text.size())};
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto here = static_cast<int>(k);
    const char next = k + 1 < text.size() ? text[k + 1] : '\0';
    if (static_cast<unsigned char>(text[k]) >= 0x80)
      return FormulaFault{"a formula is written in ASCII letters, digits and operators", characters(text.substr(0, k))};
    if (text[k] == '(' && ++depth > deepest)
      return FormulaFault{fmt::format("parentheses nested deeper than {}", deepest), here};
    if (text[k] == ')') --depth;
    if (text[k] == '"') return FormulaFault{"a formula has no texts", here};
    if (text[k] != '=') continue;
    const bool comparison = k > 0 && (text[k - 1] == '<' || text[k - 1] == '>' || text[k - 1] == '!');
    if (next == '=' && !comparison)
      ++k;
    else if (!comparison)
      return FormulaFault{"a formula assigns nothing; to compare, write ==", here};
  }
  return std::nullopt;
}

std::string_view word_at(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && word_character(text[end])) ++end;
  return text.substr(start, end - start);
}

FormulaFault explain(const mu::Parser& formula, const mu::ParserError& error, const std::string& text) {
  const std::size_t position = std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size());
  const auto here = static_cast<int>(position);
  if (position < text.size() && letter(text[position])) {
    const std::string word(word_at(text, position));
    const auto length = static_cast<int>(word.size());
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN || error.GetCode() == mu::ecUNEXPECTED_OPERATOR) {
      if (formula.GetFunDef().contains(word))
        return {fmt::format("'{}' is a function: write {}(...)", word, word), here, length};
      std::vector<std::string> names;
      for (const auto& [name, value] : formula.GetVar()) names.push_back(name);
      for (const auto& [name, value] : formula.GetConst()) names.push_back(name);
      const std::string variables = listed(names, "and");
      for (const auto& [name, value] : formula.GetFunDef()) names.push_back(name);
      const std::string hint = did_you_mean(word, names);
      return {fmt::format("unknown name {} in a formula{}", shown(word),
                          hint.empty() ? fmt::format("; known are {} and the usual functions", variables) : hint),
              here, length};
    }
    if (error.GetCode() == mu::ecUNEXPECTED_VAR || error.GetCode() == mu::ecUNEXPECTED_FUN)
      return {fmt::format("an operator is missing before '{}'", word), here, length};
  }
  if (error.GetCode() == mu::ecUNEXPECTED_EOF || error.GetCode() == mu::ecMISSING_PARENS)
    return {error.GetCode() == mu::ecUNEXPECTED_EOF ? "the formula ends too early" : "a closing parenthesis is missing",
            static_cast<int>(text.size()) - 1};
  std::string reason = error.GetMsg();
  if (const std::size_t tail = std::min(reason.find(" found at position"), reason.find(" at position"));
      tail != std::string::npos)
    reason.resize(tail);
  return {"not a formula: " + reason, std::min(here, static_cast<int>(text.size()) - 1)};
}

// Gives the formula its names and its text; variables are those of x, y, t.
std::optional<FormulaFault> compile(mu::Parser& formula, const std::string& text,
                                    const Expression::Constants& constants, double& x, double& y, double& t) {
  if (auto fault = check_text(text)) return fault;
  try {
    define_functions(formula);
    for (const auto& [name, value] : constants) formula.DefineConst(name, value);
    formula.DefineVar("x", &x);
    formula.DefineVar("y", &y);
    formula.DefineVar("t", &t);
    formula.SetExpr(text);
    formula.Eval();
    if (formula.GetNumResults() != 1) return FormulaFault{"a formula gives one value; this is a list of them"};
  } catch (const mu::ParserError& error) {
    return explain(formula, error, text);
  }
  return std::nullopt;
}

}  // namespace

std::optional<FormulaFault> check_formula(const std::string& text, const Expression::Constants& constants) {
  mu::Parser formula;
  double x = 0.0;
  double y = 0.0;
  double t = 0.0;
  return compile(formula, text, constants, x, y, t);
}

std::vector<std::string> formula_functions() {
  mu::Parser formula;
  define_functions(formula);
  std::vector<std::string> names;
  for (const auto& [name, callback] : formula.GetFunDef()) names.push_back(name);
  return names;
}

Expression::Expression(std::string text, const Constants& constants, Place place)
    : parser_(std::make_unique<Parser>()) {
  Parser& p = *parser_;
  p.text = std::move(text);
  p.place = std::move(place);
  if (const auto fault = compile(p.formula, p.text, constants, p.x, p.y, p.t)) {
    Diagnostics diagnostics;
    Place where = p.place;
    if (where.line == 0) {
      where = {"formula", 1, 1, 1};
      diagnostics.add_source(where.source, p.text);
    }
    where.column += fault->position;
    where.length = fault->length;
    diagnostics.error(where, fault->message);
    diagnostics.raise_if_any();
  }
  p.constant = p.formula.GetUsedVar().empty();
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::operator()(double x, double y, double t) const {
  parser_->x = x;
  parser_->y = y;
  parser_->t = t;
  return parser_->formula.Eval();
}

bool Expression::constant() const { return parser_->constant; }
const std::string& Expression::text() const { return parser_->text; }
const Place& Expression::place() const { return parser_->place; }

}  // namespace quoin
