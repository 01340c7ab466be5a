#include "quoin/case.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "base/sha256.hpp"
#include "case/expression.hpp"
#include "case/path.hpp"
#include "case/reader.hpp"
#include "case/scalar.hpp"
#include "quoin/error.hpp"
#include "quoin/files.hpp"

namespace quoin {
namespace {

/// The bytes of a case file, and one more than may be where it is too large. It may come through a pipe, from a shell's
/// `<(...)`, but nobody waits for one that nobody writes to.
class CaseFile {
 public:
  explicit CaseFile(const std::filesystem::path& file) : name_(file.string()) {
    const std::string other = other_than_file(file);
    if (other == "a folder" || other == "a socket") fail("the case file is " + other);
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor_ < 0) fail(fmt::format("cannot open the case file: {}", std::strerror(errno)));
    fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
  }
  CaseFile(int open_file, std::string name) : name_(std::move(name)), descriptor_(open_file) {}
  CaseFile(const CaseFile&) = delete;
  CaseFile& operator=(const CaseFile&) = delete;
  ~CaseFile() { ::close(descriptor_); }

  [[nodiscard]] std::string read() const {
    std::string text(largest_case_bytes + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
      const ssize_t count = ::read(descriptor_, text.data() + size, text.size() - size);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(fmt::format("cannot read the case file: {}", std::strerror(errno)));
      if (count == 0) break;
      size += static_cast<std::size_t>(count);
    }
    struct stat info {};
    if (size == 0 && ::fstat(descriptor_, &info) == 0 && S_ISFIFO(info.st_mode))
      fail("the case file is a pipe, and nobody has written to it");
    text.resize(size);
    return text;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorKind::io, what, name_); }

  std::string name_;
  int descriptor_ = -1;
};

constexpr const char* input_name = "<stdin>";

}  // namespace

std::string yaml_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

// A word stands as it is, unless a reader of YAML takes it for something else.
std::string yaml_key(const std::string& key) {
  const auto lower = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const char* const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  const bool word = std::find(std::begin(words), std::end(words), key) != std::end(words);
  return std::all_of(key.begin(), key.end(), lower) && !word ? key : yaml_quoted(key);
}

std::string Case::Value::yaml() const {
  switch (type) {
    case KeyType::text:
    case KeyType::expression:
      return yaml_quoted(text);
    case KeyType::choice:
    case KeyType::boolean:
    case KeyType::integer:
    case KeyType::real:
    case KeyType::duration:
      return text;
    case KeyType::integers:
    case KeyType::reals:
      return fmt::format("[{}]", fmt::join(list, ", "));
    case KeyType::points: {
      std::vector<std::string> points;
      for (std::size_t k = 0; k < list.size(); k += coordinates)
        points.push_back(fmt::format("[{}]", fmt::join(std::span(list).subspan(k, coordinates), ", ")));
      return fmt::format("[{}]", fmt::join(points, ", "));
    }
  }
  return text;
}

const std::string& Case::standard_input() {
  static const std::string text = CaseFile(STDIN_FILENO, input_name).read();
  return text;
}

Case Case::load(const std::filesystem::path& file, const std::vector<Override>& overrides, const KeyTable& table,
                const std::string& name) {
  if (file == "-") return parse(standard_input(), input_name, overrides, table);
  return parse(CaseFile(file).read(), name.empty() ? file.string() : name, overrides, table);
}

Case Case::parse(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                 const KeyTable& table) {
  return CaseReader(table, name).read(text, overrides);
}

const Case::Value& Case::value(std::string_view path, KeyType type) const {
  const auto found = values_.find(path);
  if (found == values_.end()) throw Error(ErrorKind::bug, fmt::format("the case has no value of '{}'", path));
  if (found->second.type != type) throw Error(ErrorKind::bug, fmt::format("'{}' was asked for as another type", path));
  return found->second;
}

bool Case::has(std::string_view path) const { return values_.contains(path); }

bool Case::gives(std::string_view path) const {
  constexpr std::string_view backend = "backend.";
  const auto of_backend = [&](const BackendChoice& choice) {
    const std::string_view name = path.substr(backend.size());
    if (name == "device") return choice.place.line > 0 && choice.device != BackendChoice{}.device;
    return name == "name" ? choice.place.line > 0 : choice.options.contains(name);
  };
  if (path.starts_with(backend)) return std::ranges::any_of(backends_, of_backend);
  return std::ranges::any_of(
      values_, [&](const auto& entry) { return entry.second.place.line > 0 && match_path(path, entry.first); });
}

const std::string& Case::text(std::string_view path) const {
  const auto found = values_.find(path);
  const KeyType type = found == values_.end() ? KeyType::text : found->second.type;
  const bool worded = type == KeyType::choice || type == KeyType::expression;
  return value(path, worded ? type : KeyType::text).text;
}

bool Case::boolean(std::string_view path) const { return value(path, KeyType::boolean).text == "true"; }

std::int64_t Case::integer(std::string_view path) const {
  std::int64_t result = 0;
  read_integer(value(path, KeyType::integer).text, result);
  return result;
}

double Case::real(std::string_view path) const {
  double result = 0.0;
  read_real(value(path, KeyType::real).text, result);
  return result;
}

double Case::seconds(std::string_view path) const {
  double result = 0.0;
  read_real(value(path, KeyType::duration).text, result);
  return result;
}

std::vector<std::int64_t> Case::integers(std::string_view path) const {
  std::vector<std::int64_t> result;
  for (const std::string& text : value(path, KeyType::integers).list) read_integer(text, result.emplace_back());
  return result;
}

std::vector<double> Case::reals(std::string_view path) const {
  std::vector<double> result;
  for (const std::string& text : value(path, KeyType::reals).list) read_real(text, result.emplace_back());
  return result;
}

std::vector<std::vector<double>> Case::points(std::string_view path) const {
  const Value& given = value(path, KeyType::points);
  std::vector<std::vector<double>> result(given.list.size() / given.coordinates);
  for (std::size_t k = 0; k < given.list.size(); ++k)
    read_real(given.list[k], result[k / given.coordinates].emplace_back());
  return result;
}

std::vector<std::string> Case::names(std::string_view section) const {
  const std::string prefix = std::string(section) + ".";
  std::vector<std::string> result;
  for (auto at = values_.lower_bound(prefix); at != values_.end() && at->first.starts_with(prefix); ++at) {
    const std::string_view rest = std::string_view(at->first).substr(prefix.size());
    const std::string name = part_name(rest.substr(0, part_end(rest))).value();
    if (result.empty() || result.back() != name) result.push_back(name);
  }
  std::sort(result.begin(), result.end());  // `a-b.` comes before `a.`, the name `a` before `a-b`
  return result;
}

Expression Case::expression(std::string_view path, const Expression::Constants& constants, char third) const {
  const Value& formula = value(path, KeyType::expression);
  FormulaNames names{constants, {}, third};
  for (const Definition& definition : used_definitions(formula.text, definitions_)) {
    if (const auto fault = check_formula(definition.text, names))
      throw error_at("define." + definition.name,
                     fmt::format("'define.{}', which '{}' uses: {}", definition.name, path, fault->message),
                     fault->position);
    names.definitions.insert(definition.name);
  }
  if (const auto fault = check_formula(formula.text, names))
    throw error_at(path, fmt::format("'{}': {}", path, fault->message), fault->position);
  Place start = formula.place;
  if (formula.first > 0) start.column = formula.first;
  return {formula.text, constants, start, definitions_, third};
}

Place Case::place(std::string_view path) const {
  if (const auto found = values_.find(path); found != values_.end()) return found->second.place;
  for (Names parts = split_path(path); !parts.empty(); parts.pop_back())
    if (const auto found = sections_.find(fmt::format("{}", fmt::join(parts, "."))); found != sections_.end())
      return found->second;
  return {name_, 0, 0, 1};
}

CaseError Case::error_at(std::string_view path, const std::string& message, int column) const {
  Place here = place(path);
  if (const auto found = values_.find(path); found != values_.end() && column > 0 && found->second.first > 0) {
    here.column = found->second.first + column;
    here.length = 1;
  }
  Diagnostics diagnostics = sources_;
  diagnostics.error(here, message);
  return CaseError(std::move(diagnostics));
}

CaseError Case::error_at(std::string_view path, const std::string& message, const Expression& formula) const {
  const Definition* blamed = formula.not_finite();
  if (blamed == nullptr) return error_at(path, message);
  return error_at("define." + blamed->name,
                  fmt::format("'define.{}' is not finite there, and '{}' uses it: {}", blamed->name, path, message));
}

// Paths are sorted, so the keys of a section stand together.
std::string Case::section_text(std::string_view section) const {
  std::string result;
  std::vector<std::string> open;
  for (const auto& [path, value] : values_) {
    if (!path.starts_with(section) || path.substr(section.size(), 1) != ".") continue;
    Names parts = split_path(path);
    const std::string name = std::move(parts.back());
    parts.pop_back();
    const auto key_of = [](const std::string& part) { return yaml_key(part_name(part).value()); };
    const auto same = std::mismatch(open.begin(), open.end(), parts.begin(), parts.end()).second - parts.begin();
    for (auto k = static_cast<std::size_t>(same); k < parts.size(); ++k)
      result += fmt::format("{}{}:\n", std::string(2 * k, ' '), key_of(parts[k]));
    result += fmt::format("{}{}: {}\n", std::string(2 * parts.size(), ' '), key_of(name), value.yaml());
    open = std::move(parts);
  }
  return result;
}

std::string Case::resolved() const {
  const std::string title = has("title") ? "title: " + yaml_quoted(text("title")) + "\n" : "";
  return title + section_text("define") + section_text("problem") + section_text("method") + backend_text_ +
         section_text("output") + section_text("run");
}

std::vector<std::string> Case::differing(const Case& other) const {
  std::set<std::string> paths;
  for (const Case* one : {this, &other})
    for (const auto& [path, value] : one->values_)
      if (path != "title" && !path.starts_with("run.")) paths.insert(path);
  std::erase_if(paths, [&](const std::string& path) { return written(path) == other.written(path); });
  return {paths.begin(), paths.end()};
}

std::string Case::written(std::string_view path) const {
  const auto found = values_.find(path);
  return found == values_.end() ? "" : found->second.yaml();
}

std::map<std::string, std::string> Case::all() const {
  std::map<std::string, std::string> values;
  for (const auto& [path, value] : values_) values[path] = written(path);
  for (const BackendChoice& choice : backends_) {
    const std::string place = backends_.size() == 1 ? "" : fmt::format("[{}]", &choice - backends_.data() + 1);
    const auto add = [&](const std::string& key, const std::string& value) {
      values[fmt::format("backend{}.{}", place, key)] = value;
    };
    add("name", choice.name);
    add("device", choice.device);
    add("memory", std::string(name_of(choice.memory)));
    for (const auto& [key, value] : choice.options) add(key, value);
  }
  return values;
}

std::string Case::sha256() const {
  return sha256_of(section_text("define") + section_text("problem") + section_text("method"));
}

}  // namespace quoin
