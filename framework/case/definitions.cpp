// The section define: formulas that others call by their names.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "case/expression.hpp"
#include "case/reader.hpp"

namespace quoin {
namespace {

constexpr const char* define_section = "define";
constexpr std::size_t most_definitions = 1000;  // each is looked up in each, so that more would take long

std::string path_of(const std::string& name) { return join_path(define_section, name); }

/// Puts definitions behind those that they use, and finds those that use themselves.
class Order {
 public:
  explicit Order(const std::map<std::string, std::string>& formulas) : formulas_(formulas) {
    for (const auto& [name, formula] : formulas) visit(name);
  }

  std::vector<Definition> sorted;
  std::vector<Names> circles;  // each from a name back to it

 private:
  void visit(const std::string& name) {
    if (const auto start = std::find(open_.begin(), open_.end(), name); start != open_.end()) {
      circles.emplace_back(start, open_.end()).push_back(name);
      return;
    }
    if (!seen_.insert(name).second) return;
    const std::string& formula = formulas_.at(name);
    open_.push_back(name);
    for (const std::string& word : words_of(formula))
      if (formulas_.contains(word)) visit(word);
    open_.pop_back();
    sorted.push_back({name, formula});
  }

  const std::map<std::string, std::string>& formulas_;
  std::set<std::string> seen_;
  Names open_;  // those that lead to the one in hand
};

}  // namespace

void CaseReader::find_definitions(const CaseNode& root) {
  const CaseNode* define = root.child(define_section);
  if (define == nullptr || define->kind != CaseNode::Kind::map) return;
  if (define->children.size() > most_definitions) {
    diagnostics_.error(define->key_place, fmt::format("more than {} definitions", most_definitions));
    diagnostics_.raise_if_any();
  }
  for (const CaseNode& node : define->children)
    if (is_variable(node.key) && meaning_of(node.key).empty()) definitions_.emplace(node.key, node.text);
}

void CaseReader::check_definitions() {
  const Order order(definitions_);
  for (const Names& circle : order.circles)
    diagnostics_.error(result_.place(path_of(circle.front())),
                       circle.size() == 2
                           ? fmt::format("'{}' uses itself", path_of(circle.front()))
                           : fmt::format("'{}' uses itself: {}", path_of(circle.front()), fmt::join(circle, " -> ")));
  if (!order.circles.empty()) return;
  result_.definitions_ = order.sorted;

  std::set<std::string> in_use;
  std::set<std::string> blamed;
  for (const auto& [path, key] : expressions_) {
    const auto used = used_definitions(result_.text(path), order.sorted);
    for (const Definition& definition : used) in_use.insert(definition.name);
    if (key->steady) check_use_of_time(path, used, blamed);
  }
  Names idle;
  for (const auto& [name, place] : names_[define_section])
    if (!in_use.contains(name)) idle.push_back(path_of(name));
  if (!idle.empty())
    diagnostics_.warning(result_.place(idle.front()),
                         fmt::format("no formula of the problem uses {}", listed(idle, "or")));
}

void CaseReader::check_use_of_time(const std::string& path, const std::vector<Definition>& used,
                                   std::set<std::string>& blamed) {
  FormulaNames names{problem_constants(), {}, '\0'};
  for (const Definition& definition : used) {
    const auto fault = check_formula(definition.text, names);
    names.definitions.insert(definition.name);
    const auto value = result_.values_.find(path_of(definition.name));
    if (!fault || value == result_.values_.end() || !blamed.insert(definition.name).second) continue;
    diagnostics_.error(place_in(value->second, *fault),
                       fmt::format("'{}', which '{}' uses: {}", value->first, path, fault->message));
  }
}

}  // namespace quoin
