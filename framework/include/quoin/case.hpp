#pragma once

// Case files: one table describes every key; reading, checking, the schema, the reference page and
// the suggestions for misspelt keys all come from it.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/error.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// A place in a case file or in a `--set` argument. Line and column count from 1, in characters; 0 is unknown.
struct Place {
  std::string source;
  int line = 0;
  int column = 0;
  int length = 1;
};

/// Collects every mistake of a case file, so that all are reported in one pass.
class Diagnostics {
 public:
  struct Mistake {
    Place place;
    std::string message;
  };
  /// The text of a source, kept to show the offending line with a caret.
  void add_source(const std::string& name, std::string text);
  void error(const Place& place, const std::string& message);
  /// What a user should know of, though the case can be run.
  void warning(const Place& place, const std::string& message) { warnings_.push_back({place, message}); }
  /// Mistakes, without warnings.
  [[nodiscard]] std::size_t count() const { return mistakes_.size(); }
  /// Sorted by place.
  [[nodiscard]] std::vector<Mistake> mistakes() const;
  /// Each warning as `file:line:column: message`, its source line and a caret.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// Each mistake as `file:line:column: error: message`, its source line and a caret, sorted by place. With `coloured`
  /// as a terminal shows colours.
  [[nodiscard]] std::string text(bool coloured = false) const;
  /// Throws a CaseError where there is any mistake.
  void raise_if_any() const;

 private:
  [[nodiscard]] std::string show(const Mistake& mistake, std::string_view severity, bool coloured) const;
  std::map<std::string, std::string> sources_;
  std::vector<Mistake> mistakes_;
  std::vector<Mistake> warnings_;
};

/// ErrorKind::case_file. Its message is the text of the mistakes, ready to print: it holds the places, so where() is
/// empty.
class CaseError : public Error {
 public:
  explicit CaseError(Diagnostics mistakes);
  [[nodiscard]] const Diagnostics& diagnostics() const { return *diagnostics_; }

 private:
  std::shared_ptr<const Diagnostics> diagnostics_;  // shared, so that to copy an error cannot fail
};

/// A duration is a time by the clock: seconds, or a number with a unit, as `5 min`.
enum class KeyType { text, choice, boolean, integer, real, integers, reals, points, expression, duration };

/// What may stand for a `*`: a word (letters, digits, _ and -), a name that formulas can use, or any text.
enum class NameType { word, variable, text };

/// Another key of the case has one of these values.
struct Condition {
  std::string path;  ///< may hold the `*` of the key that it belongs to; empty: always
  std::vector<std::string> values{};
};

/// What to say of a value that is not offered, but that people try.
struct Hint {
  std::string value;
  std::string answer;
};

/// One key of the case file.
struct Key {
  /// `problem.grid.nodes`. A part `*` stands for any name (see name_type) and is alone in its section:
  /// `problem.boundary.*.type`; what else is said of the key then holds for each name given.
  std::string path;
  KeyType type = KeyType::text;
  std::string fallback{};  ///< default as it would be written; empty: none
  bool required = false;
  std::string meaning{};  ///< one sentence
  std::string unit{};     ///< empty: dimensionless
  std::optional<double> minimum{};
  std::optional<double> maximum{};
  bool above_minimum = false;          ///< the minimum itself is not allowed
  bool increasing = false;             ///< reals: each value must be larger than the one before
  std::size_t count = 1;               ///< integers, reals: how many values; points: at least so many
  std::size_t count_at_most = 0;       ///< integers, reals: from `count` up to so many; 0: just `count`
  std::size_t coordinates = 2;         ///< points: 3 where they may lie in space, all of a list or none
  std::vector<std::string> choices{};  ///< expression: words that may stand in its place
  bool shorthand = false;              ///< a plain value given for the section stands for this key: `fields: false`
  Condition when{};                    ///< the key holds only then: given otherwise it is a mistake, required or not
  std::string problem{};               ///< only with this problem.type; empty: always
  std::string backend{};               ///< only with this backend.name; empty: always
  /// Of problem or method: a run that goes on may have another value, for nothing that is done depends on it.
  bool changeable = false;
  /// Of a backend's key: values that `quoin tune` tries. It has no default, for the backend knows its devices.
  std::vector<std::string> tune{};
  NameType name_type = NameType::word;  ///< that of the first key counts for a section
  bool steady = false;                  ///< expression: of x and y, for the problem has no time
  bool space = false;                   ///< expression: of x, y and z, as all of the problem's are
  std::vector<Hint> hints{};
};

/// What a user is told of a key, in words.
struct KeyFacts {
  std::string type;
  std::string fallback;  ///< `required`, the default in backquotes, or empty
  std::string unit;
  std::string range;    ///< without the unit
  std::string meaning;  ///< with all that restricts it; names in backquotes
};
KeyFacts facts_of(const Key& key);

struct ProblemType;

/// All keys: the framework's, those of each problem, those of each plugin's manifest.
class KeyTable {
 public:
  /// The framework's keys and those of `problems`.
  explicit KeyTable(const std::vector<ProblemType>& problems);
  /// The framework's keys and those of the registered problems.
  static KeyTable standard();
  /// Adds the keys of a plugin under `backend.`; `keys` carry bare names.
  void add_backend(const std::string& backend, std::vector<Key> keys);
  /// What to say of a value of that key, before what is said of it already.
  void add_hint(std::string_view path, Hint hint);

  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }
  [[nodiscard]] const std::vector<std::string>& backends() const { return backends_; }
  /// The keys that `path` names, which may have names of the user's choice in place of a `*`, and those of which it is
  /// the short form; or else those of the section that it names; all where it is empty. Throws ErrorKind::usage with a
  /// suggestion where there is none.
  [[nodiscard]] std::vector<Key> look_up(std::string_view path) const;
  [[nodiscard]] std::string json_schema() const;
  [[nodiscard]] std::string markdown() const;

 private:
  std::vector<Key> keys_;
  std::vector<std::string> backends_;
};

/// The name as a part of a path: as it stands, or in double quotes with a backslash before each `"` and `\`.
std::string path_part(std::string_view name);

/// A formula that others may name: `define.NAME` of the case.
struct Definition {
  std::string name;
  std::string text;
};

/// A formula of x, y and t, or of x, y and z, with named constants and pi, parsed once. Operators + - * / ^,
/// comparisons, && || and ?:; `log` is the natural logarithm, `log10` the decimal one. Not safe to share between
/// threads.
class Expression {
 public:
  using Constants = std::map<std::string, double, std::less<>>;
  /// Throws ErrorKind::case_file with the column inside `text` where it is not a formula;
  /// `place` is where the formula starts in its source. A definition may use those before it. Those that the formula
  /// uses, itself or through another, are evaluated once a point.
  Expression(std::string text, const Constants& constants, Place place = {},
             std::span<const Definition> definitions = {}, char third = 't');
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  [[nodiscard]] double operator()(double x, double y, double third = 0.0) const;
  /// Coordinates of points: of each of two and more, or one that all have.
  struct Points {
    std::span<const double> x, y, third;
  };
  /// The same value at each of many points, for less time a point.
  void at(const Points& points, std::span<double> values) const;
  /// The same along rows, all with these values of x: what depends on x alone is computed once for all rows, up to the
  /// next call of at().
  void set_columns(std::span<const double> x) const;
  void row(double y, double third, std::span<double> values) const;
  [[nodiscard]] bool constant() const;   ///< uses no variable, itself or through a definition
  [[nodiscard]] bool uses_time() const;  ///< likewise t, or z of a formula of z
  /// The first of the definitions in use whose value at the last point alone was not finite; null: none.
  [[nodiscard]] const Definition* not_finite() const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const Place& place() const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// Keys of a backend's own with their values, as they are written.
using OptionMap = std::map<std::string, std::string, std::less<>>;

/// One entry of the ordered list of backends that a case accepts.
struct BackendChoice {
  std::string name;
  std::string device = "0";                ///< an index, or part of the device's name
  int turn = 0;                            ///< of a rank among those of its host, for find_device()
  MemoryKind memory = MemoryKind::device;  ///< of the arrays
  OptionMap options;
  Place place;
};

/// What the command line changes. `--set a.b=v` gives a YAML value, and so does a value of `--vary`; an option of its
/// own, such as `--output`, is named here and gives a scalar as it stands, whatever characters it has.
struct Override {
  std::string path;
  std::string value;
  std::string option{};  ///< empty: --set
};

/// A checked case: every key has the right type and lies in its range, defaults filled in.
class Case {
 public:
  /// Reads and checks; throws ErrorKind::case_file with every mistake of the file, or ErrorKind::io. `name`, where it
  /// is given, stands for the file in messages, and a mesh file is sought beside it. The file `-` is standard input,
  /// `<stdin>` in messages; however often it is loaded, it is read once.
  static Case load(const std::filesystem::path& file, const std::vector<Override>& overrides, const KeyTable& table,
                   const std::string& name = {});
  /// What that holds.
  static const std::string& standard_input();
  /// The same from a text; `name` stands for the file in messages.
  static Case parse(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                    const KeyTable& table);

  [[nodiscard]] bool has(std::string_view path) const;
  /// Whether the file or an override says something about a key, which may have `*` for any name.
  [[nodiscard]] bool gives(std::string_view path) const;
  [[nodiscard]] const std::string& text(std::string_view path) const;
  [[nodiscard]] bool boolean(std::string_view path) const;
  [[nodiscard]] std::int64_t integer(std::string_view path) const;
  [[nodiscard]] double real(std::string_view path) const;
  [[nodiscard]] double seconds(std::string_view path) const;  ///< of a duration
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view path) const;
  [[nodiscard]] std::vector<double> reals(std::string_view path) const;
  /// The [x, y] of each point, or the [x, y, z] of each.
  [[nodiscard]] std::vector<std::vector<double>> points(std::string_view path) const;
  /// `third` is its variable besides x and y: t or z. The definitions of the case are known to it. Throws
  /// ErrorKind::case_file where it names a constant that is not among `constants`.
  [[nodiscard]] Expression expression(std::string_view path, const Expression::Constants& constants,
                                      char third = 't') const;
  /// The names that the case gives in a section whose keys hold for any name, sorted: `problem.boundary`.
  [[nodiscard]] std::vector<std::string> names(std::string_view section) const;
  [[nodiscard]] const std::vector<BackendChoice>& backends() const { return backends_; }

  [[nodiscard]] const std::string& name() const { return name_; }  ///< the file as given
  /// Of the value; where there is none, of the innermost section around it that the case gives.
  [[nodiscard]] Place place(std::string_view path) const;
  /// An error that points at the value of `path`, `column` characters into it.
  [[nodiscard]] CaseError error_at(std::string_view path, const std::string& message, int column = 0) const;
  /// The same of the value that the formula of `path` just had: points at the definition that is to blame, if one is.
  [[nodiscard]] CaseError error_at(std::string_view path, const std::string& message, const Expression& formula) const;
  /// What a user should know of though the case can be run, each with its place: a definition that nothing uses.
  [[nodiscard]] std::vector<std::string> warnings() const { return sources_.warnings(); }
  /// The case with every default written out, as YAML that reads back to the same case.
  [[nodiscard]] std::string resolved() const;
  /// The keys of problem, method and output that only one of the cases has, or that have another value in each, sorted.
  [[nodiscard]] std::vector<std::string> differing(const Case& other) const;
  /// The value of `path` as case files write it; empty where the case has none.
  [[nodiscard]] std::string written(std::string_view path) const;
  /// All values by their paths, as case files write them. Those of one of several backends are `backend[2].name`.
  [[nodiscard]] std::map<std::string, std::string> all() const;
  /// SHA-256 of the resolved `problem` and `method` sections: what is solved, not where.
  [[nodiscard]] std::string sha256() const;

 private:
  struct Value {
    std::string text;               // numbers in their shortest form
    std::vector<std::string> list;  // integers, reals; points: their coordinates in turn
    Place place;
    std::size_t coordinates = 2;  // of a point
    int first = 0;  // column of the text's first character, where its characters are those of the line; else 0
    KeyType type = KeyType::text;
    /// Texts quoted, numbers as they are, lists in brackets.
    [[nodiscard]] std::string yaml() const;
  };
  const Value& value(std::string_view path, KeyType type) const;
  [[nodiscard]] std::string section_text(std::string_view section) const;
  std::string name_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, Place, std::less<>> sections_;  // where each that the case gives has its key
  std::vector<Definition> definitions_;                 // each behind those that it uses
  std::vector<BackendChoice> backends_;
  std::string backend_text_;  // the backend section as YAML
  Diagnostics sources_;

  friend class CaseReader;
};

}  // namespace quoin
