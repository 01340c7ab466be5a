#include "case/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>
#include <strings.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/text.hpp"
#include "case/formula_tape.hpp"
#include "quoin/error.hpp"

namespace quoin {

struct Expression::Compiled {
  struct Part {  // a definition in use
    Definition definition;
    FormulaTape::Slot value;
  };
  std::string text;
  Place place;
  FormulaTape tape;
  std::vector<Part> parts;  // each behind those that it uses
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

const mu::funmap_type& known_functions() {
  static const mu::Parser formula = [] {
    mu::Parser with;
    define_functions(with);
    return with;
  }();
  return formula.GetFunDef();
}

// An operator of another language that starts `rest`, which stands at the character `here`.
std::optional<FormulaFault> foreign_operator(std::string_view rest, int here) {
  for (const std::string_view ours : {"&&", "||", "!=", "=="})
    if (rest.starts_with(ours)) return std::nullopt;
  for (const std::string_view theirs : {"**", "<>", "=>", "=<", "%", "&", "|", "!"})
    if (rest.starts_with(theirs))
      return FormulaFault{fmt::format("a formula has no {}; {}", theirs, formula_advice(theirs)), here,
                          static_cast<int>(theirs.size())};
  return std::nullopt;
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
    const auto code = static_cast<unsigned char>(text[k]);
    const bool blank = text[k] == '\t' || text[k] == '\r' || text[k] == '\n';
    if (code >= 0x7f || (code < 0x20 && !blank))  // muParser would end at the first 0, and skip the others
      return FormulaFault{"a formula is written in ASCII letters, digits and operators", characters(text.substr(0, k))};
    if (text[k] == '(' && ++depth > deepest)
      return FormulaFault{fmt::format("parentheses nested deeper than {}", deepest), here};
    if (text[k] == ')') --depth;
    if (text[k] == '"') return FormulaFault{"a formula has no texts", here};
    if (auto fault = foreign_operator(std::string_view(text).substr(k), here)) return fault;
    if ((text[k] == '&' || text[k] == '|') && next == text[k]) ++k;
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

// What is wrong with a name that the formula does not know.
std::string unknown_name(const mu::Parser& formula, const std::string& word, bool time) {
  if (word == "t" && !time) return "t is the time, which this problem does not have";
  std::vector<std::string> names;
  for (const auto& [name, value] : formula.GetVar()) names.push_back(name);
  for (const auto& [name, value] : formula.GetConst()) names.push_back(name);
  const std::string known = listed(names, "and");
  for (const auto& [name, value] : formula.GetFunDef()) names.push_back(name);
  std::string hint;
  for (const std::string& name : names)
    if (strcasecmp(name.c_str(), word.c_str()) == 0) hint = fmt::format("; did you mean '{}'?", name);
  if (const std::string advice = formula_advice(word); hint.empty() && !advice.empty()) hint = "; " + advice;
  if (hint.empty()) hint = did_you_mean(word, names);
  if (hint.empty()) hint = fmt::format("; known are {} and the usual functions", known);
  return fmt::format("unknown name {} in a formula{}", shown(word), hint);
}

FormulaFault explain(const mu::Parser& formula, const mu::ParserError& error, const std::string& text, bool time) {
  const std::size_t position = std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size());
  const auto here = static_cast<int>(position);
  if (position < text.size() && letter(text[position])) {
    const std::string word(word_at(text, position));
    const auto length = static_cast<int>(word.size());
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN || error.GetCode() == mu::ecUNEXPECTED_OPERATOR) {
      if (formula.GetFunDef().contains(word))
        return {fmt::format("'{}' is a function: write {}(...)", word, word), here, length};
      return {unknown_name(formula, word, time), here, length};
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

// Variables of a formula and where their values lie.
using Variables = std::map<std::string, double*>;

// Gives the formula its names and its text.
std::optional<FormulaFault> compile(mu::Parser& formula, const std::string& text,
                                    const Expression::Constants& constants, const Variables& variables) {
  if (auto fault = check_text(text)) return fault;
  try {
    define_functions(formula);
    for (const auto& [name, value] : constants) formula.DefineConst(name, value);
    for (const auto& [name, value] : variables) formula.DefineVar(name, value);
    formula.SetExpr(text);
    formula.Eval();
    if (formula.GetNumResults() != 1) return FormulaFault{"a formula gives one value; this is a list of them"};
  } catch (const mu::ParserError& error) {
    return explain(formula, error, text, variables.contains("t"));
  }
  return std::nullopt;
}

}  // namespace

std::optional<FormulaFault> check_formula(const std::string& text, const FormulaNames& names) {
  mu::Parser formula;
  double any = 0.0;
  Variables variables{{"x", &any}, {"y", &any}};
  if (names.third != 0) variables[std::string(1, names.third)] = &any;
  for (const std::string& name : names.definitions) variables[name] = &any;
  return compile(formula, text, names.constants, variables);
}

std::vector<std::string> formula_functions() {
  std::vector<std::string> names;
  for (const auto& [name, callback] : known_functions()) names.push_back(name);
  return names;
}

FormulaFunction formula_function(std::string_view name) {
  const auto found = known_functions().find(std::string(name));
  if (found == known_functions().end()) return {};
  return {reinterpret_cast<void (*)()>(found->second.GetAddr()), found->second.GetArgc()};
}

std::string_view name_at(std::string_view text) {
  return !text.empty() && letter(text.front()) ? word_at(text, 0) : std::string_view();
}

const Expression::Constants& problem_constants() {
  static const Expression::Constants constants{{"nx", 1.0}, {"ny", 1.0}, {"lx", 1.0}, {"ly", 1.0}};
  return constants;
}

std::string meaning_of_name(const std::string& name) {
  if (name == "x" || name == "y") return "a coordinate";
  if (name == "t") return "the time";
  if (name == "pi") return "the number pi";
  if (problem_constants().contains(name)) return name[0] == 'n' ? "a number of nodes or cells" : "a side length";
  static const std::vector<std::string> functions = formula_functions();
  return std::find(functions.begin(), functions.end(), name) != functions.end() ? "a function" : "";
}

std::set<std::string> words_of(std::string_view formula) {
  std::set<std::string> words;
  for (std::size_t at = 0; at < formula.size();) {
    if (letter(formula[at])) {
      const std::string_view word = word_at(formula, at);
      words.emplace(word);
      at += word.size();
    } else if (word_character(formula[at]) || formula[at] == '.') {  // a number; the e of its exponent is no name
      while (at < formula.size() && ((word_character(formula[at]) && !letter(formula[at])) || formula[at] == '.')) ++at;
      std::size_t exponent =
          at < formula.size() && (formula[at] == 'e' || formula[at] == 'E') ? at + 1 : formula.size();
      if (exponent < formula.size() && (formula[exponent] == '+' || formula[exponent] == '-')) ++exponent;
      if (exponent < formula.size() && word_character(formula[exponent]) && !letter(formula[exponent])) at = exponent;
    } else {
      ++at;
    }
  }
  return words;
}

std::vector<Definition> used_definitions(std::string_view formula, std::span<const Definition> definitions) {
  if (definitions.empty()) return {};
  std::set<std::string> words = words_of(formula);
  std::vector<Definition> used;
  for (std::size_t k = definitions.size(); k-- > 0;) {
    const Definition& definition = definitions[k];
    if (!words.contains(definition.name)) continue;
    words.merge(words_of(definition.text));
    used.push_back(definition);
  }
  std::reverse(used.begin(), used.end());
  return used;
}

Expression::Expression(std::string text, const Constants& constants, Place place,
                       std::span<const Definition> definitions, char third)
    : compiled_(std::make_unique<Compiled>(Compiled{std::move(text), std::move(place), FormulaTape(third), {}})) {
  Compiled& c = *compiled_;
  double any = 0.0;
  Variables variables{{"x", &any}, {"y", &any}, {std::string(1, third), &any}};
  const auto add = [&](const std::string& words, Place where) {
    mu::Parser formula;
    if (const auto fault = compile(formula, words, constants, variables)) {
      Diagnostics diagnostics;
      if (where.line == 0) {
        where = {"formula", 1, 1, 1};
        diagnostics.add_source(where.source, words);
      }
      where.column += fault->position;
      where.length = fault->length;
      diagnostics.error(where, fault->message);
      diagnostics.raise_if_any();
    }
    return c.tape.add(words);
  };
  for (const auto& [name, value] : constants) c.tape.name(name, value);
  for (const Definition& definition : used_definitions(c.text, definitions)) {
    const FormulaTape::Slot value = add(definition.text, {});
    c.tape.name(definition.name, value);
    variables[definition.name] = &any;
    c.parts.push_back({definition, value});
  }
  add(c.text, c.place);
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::operator()(double x, double y, double third) const { return compiled_->tape.at(x, y, third); }

void Expression::at(const Points& points, std::span<double> values) const { compiled_->tape.evaluate(points, values); }
void Expression::set_columns(std::span<const double> x) const { compiled_->tape.set_columns(x); }
void Expression::row(double y, double third, std::span<double> values) const { compiled_->tape.row(y, third, values); }

bool Expression::constant() const { return compiled_->tape.constant(); }
bool Expression::uses_time() const { return compiled_->tape.depends_on_third(); }

const Definition* Expression::not_finite() const {
  for (const Compiled::Part& part : compiled_->parts)
    if (!std::isfinite(compiled_->tape.value(part.value))) return &part.definition;
  return nullptr;
}

const std::string& Expression::text() const { return compiled_->text; }
const Place& Expression::place() const { return compiled_->place; }

}  // namespace quoin
