#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "case/expression.hpp"
#include "case/node.hpp"
#include "case/path.hpp"

namespace quoin {

/// Checks the tree of a case file against the table of keys and fills a Case; finds every mistake in one pass.
class CaseReader {
 public:
  CaseReader(const KeyTable& table, std::string name);
  Case read(const std::string& text, const std::vector<Override>& overrides);

 private:
  using Value = Case::Value;

  // A map against the keys below `path`, which is empty for the whole file.
  void check_section(const CaseNode& section, const std::string& path);
  // The value of `key` at `path`; `written` is what the user calls it, which a shorthand leaves shorter.
  void check_key(const CaseNode& node, const Key& key, const std::string& path, const std::string& written);
  void check_shorthand(const CaseNode& node, const std::string& section);
  // Whether the key of the node may stand for the `*` of `key` in that section; notes it.
  bool check_name(const CaseNode& node, const Key& key, const std::string& section);
  // Whether the condition of the key at `path` is met; nothing where a mistake leaves that open.
  std::optional<bool> holds(const Key& key, const std::string& path);
  void check_conditions();
  void fill_in_defaults(const CaseNode& root);
  void check_names();
  void report_unknown(const CaseNode& node, const std::string& section);
  void report_missing(const Key& key, const std::string& full, const CaseNode& root);
  // The value of a key; nothing where it has a mistake, which is then noted.
  std::optional<Value> check_value(const CaseNode& node, const Key& key);
  std::optional<Value> check_points(const CaseNode& node, const Key& key);
  std::optional<std::string> check_scalar(const CaseNode& node, const Key& key);
  std::optional<std::string> check_number(const CaseNode& node, const Key& key);
  bool check_expression(Value& value, const Key& key);
  static Place place_in(const Value& formula, const FormulaFault& fault);
  // What formulas may call by its name, before any is read.
  void find_definitions(const CaseNode& root);
  // Their order and their use, once all values are read.
  void check_definitions();
  // Of the formula at `path` of a problem without time: each definition is blamed once.
  void check_use_of_time(const std::string& path, const std::vector<Definition>& used, std::set<std::string>& blamed);
  Value default_of(const Key& key);

  void check_backend(const CaseNode* node);
  void check_backend_entry(const CaseNode& node);
  void finish_backend(BackendChoice choice, std::map<std::string, std::string, std::less<>> written);
  [[nodiscard]] std::vector<const Key*> keys_of_backend(const std::string& name) const;

  [[nodiscard]] bool active(const Key& key) const;
  // What formulas of this problem take the name for; empty: nothing.
  [[nodiscard]] std::string meaning_of(const std::string& name) const;
  [[nodiscard]] const Key* find(std::string_view path) const;
  [[nodiscard]] bool is_section(const std::string& path) const;
  [[nodiscard]] const Key* find_shorthand(const std::string& section) const;
  // The key whose `*` stands for the names in the section; null where they are fixed.
  [[nodiscard]] const Key* any_name_in(const std::string& section) const;
  [[nodiscard]] std::vector<std::string> names_in(const std::string& section) const;
  [[nodiscard]] std::string described(const std::string& section) const;
  // The paths at which the key holds: one for each name that the case gives.
  [[nodiscard]] std::vector<std::string> instances(const Key& key) const;
  [[nodiscard]] bool excused(const std::string& path) const;

  const KeyTable& table_;
  Case result_;
  Diagnostics diagnostics_;
  std::string problem_;            // problem.type; empty where the case does not say it rightly
  char third_ = 't';               // the variable of formulas besides x and y
  std::set<std::string> excused_;  // keys with a mistake, or that a suggestion names: not reported as missing, too
  std::map<std::string, std::map<std::string, Place>> names_;  // given where any name may stand, by section
  struct Conditional {
    const Key* key;
    std::string path;
    std::string written;
    Place place;
  };
  std::vector<Conditional> conditionals_;           // given
  std::map<std::string, std::string> definitions_;  // names to their formulas, right or not
  std::map<std::string, const Key*> expressions_;   // paths of those that are read, definitions left out
  std::vector<std::string> backend_entries_;
};

std::string yaml_quoted(std::string_view text);
std::string yaml_key(const std::string& key);

}  // namespace quoin
