#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "base/text.hpp"
#include "case/node.hpp"
#include "case/yaml_fault.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

// Where the quoted scalar that starts `text` ends, its closing quote included; npos where it is not closed.
std::size_t end_of_quotes(std::string_view text) {
  const char quote = text.front();
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (quote == '"' && text[k] == '\\') {
      ++k;
    } else if (text[k] == quote) {
      if (quote == '"' || k + 1 == text.size() || text[k + 1] != quote) return k + 1;
      ++k;
    }
  }
  return std::string_view::npos;
}

}  // namespace

// Builds the tree while yaml-cpp parses: a throw out of an event ends the parse there.
class YamlReader::Builder : public YAML::EventHandler {
 public:
  explicit Builder(YamlReader& reader) : reader_(reader) {}
  CaseNode root;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_) fail(mark, "a case file is one document; nothing may follow its end");
    started_ = true;
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { fail(mark, no_references); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { fail(mark, no_references); }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (expects_key()) fail(mark, "a key is missing here");
    CaseNode& node = add(mark);
    // yaml-cpp gives an absent value the place of what follows: the key is where to look.
    if (!node.key.empty()) node.place = node.key_place;
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    if (tag != "?" && tag != "!") fail(mark, no_tags);
    CaseNode scalar;
    locate(mark, value, tag == "!", scalar);
    if (expects_key()) {
      keys_.back() = {value, scalar.place, true};
      if (++reader_.visited_ > max_nodes) fail(mark, too_many);
      return;
    }
    CaseNode& node = add(mark);
    node.kind = CaseNode::Kind::scalar;
    node.text = value;
    node.quoted = scalar.quoted;
    node.place = scalar.place;
    node.first = scalar.first;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, CaseNode::Kind::sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, tag, CaseNode::Kind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override {
    std::unordered_set<std::string_view> seen;
    for (const CaseNode& child : open_.back()->children)
      if (!seen.insert(child.key).second)
        reader_.diagnostics_.error(child.key_place, fmt::format("key {} is given twice", shown(child.key)));
    close();
  }

 private:
  static constexpr const char* no_references = "case files do not use anchors and aliases; write the value out";
  static constexpr const char* no_tags = "case files do not use tags; remove it";
  static constexpr const char* too_many = "this is too large for a case file (more than 10000 values)";
  struct PendingKey {
    std::string text;
    Place place;
    bool given = false;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    reader_.fail(mark.line, column(mark), message);
  }
  static std::size_t column(const YAML::Mark& mark) { return static_cast<std::size_t>(std::max(mark.column, 0)); }
  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && open_.back()->kind == CaseNode::Kind::map && !keys_.back().given;
  }
  CaseNode& add(const YAML::Mark& mark) {
    if (++reader_.visited_ > max_nodes) fail(mark, too_many);
    CaseNode* node = &root;
    if (!open_.empty()) {
      node = &open_.back()->children.emplace_back();
      node->key = std::move(keys_.back().text);
      node->key_place = std::move(keys_.back().place);
      keys_.back() = {};
    }
    node->place = reader_.place(mark.line, column(mark), 1);
    return *node;
  }
  void open(const YAML::Mark& mark, const std::string& tag, CaseNode::Kind kind) {
    if (!tag.empty() && tag != "?") fail(mark, no_tags);
    if (expects_key()) fail(mark, "a key must be a word; is a bracket left open?");
    if (open_.size() >= deepest_nesting) fail(mark, fmt::format("nested deeper than {} levels", deepest_nesting));
    CaseNode& node = add(mark);
    node.kind = kind;
    open_.push_back(&node);
    keys_.emplace_back();
  }
  void close() {
    open_.pop_back();
    keys_.pop_back();
  }
  // Finds how a scalar stands in its line: its length there, and whether its characters are the line's.
  void locate(const YAML::Mark& mark, const std::string& value, bool quoted, CaseNode& scalar) const {
    const std::string_view line = reader_.line_text(mark.line);
    const std::string_view rest = line.substr(std::min(column(mark), line.size()));
    const char lead = rest.empty() ? '\0' : rest.front();
    const bool in_quotes = lead == '"' || lead == '\'';
    if (quoted && !in_quotes && lead != '|' && lead != '>') fail(mark, no_tags);
    std::string_view raw = rest.substr(0, value.size());
    bool same = raw == value;
    if (quoted) {
      same = rest.substr(std::min<std::size_t>(1, rest.size()), value.size()) == value;
      raw = rest;
      if (in_quotes) {
        const std::string_view all = reader_.text_.substr(static_cast<std::size_t>(rest.data() - reader_.text_.data()));
        const std::size_t end = end_of_quotes(all);
        if (end == std::string_view::npos) fail(mark, "this quote is never closed");
        raw = all.substr(0, std::min(end, rest.size()));
        same = same && end == value.size() + 2;
      }
    } else if (!same) {
      raw = rest;
    }
    scalar.quoted = quoted;
    scalar.place = reader_.place(mark.line, column(mark), std::max(1, characters(raw)));
    scalar.first = same ? scalar.place.column + (quoted ? 1 : 0) : 0;
  }

  YamlReader& reader_;
  bool started_ = false;
  std::vector<CaseNode*> open_;  // the maps and sequences around the current event
  std::vector<PendingKey> keys_;
};

YamlReader::YamlReader(std::string_view text, Place origin, Diagnostics& diagnostics)
    : text_(text), origin_(std::move(origin)), diagnostics_(diagnostics) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

Place YamlReader::place(int line, std::size_t column, int length) const {
  const int before = characters(line_text(line).substr(0, column));
  return {origin_.source, origin_.line + line, (line == 0 ? origin_.column : 1) + before, length};
}

std::string_view YamlReader::line_text(int line) const {
  if (line < 0 || static_cast<std::size_t>(line) >= lines_.size()) return {};
  const auto k = static_cast<std::size_t>(line);
  const std::size_t end = k + 1 < lines_.size() ? lines_[k + 1] - 1 : text_.size();
  const std::string_view whole = text_.substr(lines_[k], end - lines_[k]);
  return whole.ends_with('\r') ? whole.substr(0, whole.size() - 1) : whole;
}

void YamlReader::fail(int line, std::size_t column, const std::string& message) const {
  fail(place(line, column, 1), message);
}

void YamlReader::fail(const Place& where, const std::string& message) const {
  diagnostics_.error(where, message);
  diagnostics_.raise_if_any();
  throw Error(ErrorKind::bug, message);
}

void YamlReader::check_bytes() const {
  int line = 0;
  std::size_t start = 0;  // of the line
  bool indent = true;
  for (std::size_t k = 0; k < text_.size();) {
    const std::size_t length = utf8_length(text_.substr(k));
    const char c = text_[k];
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t column = k - start;
    if (length == 0) fail(line, column, fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8", byte));
    if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F)
      fail(line, column, fmt::format("control character 0x{:02x}; a case file is plain text", byte));
    if (c == '\t' && indent) fail(line, column, "a tab in the indentation; YAML indents with spaces");
    if (c != ' ') indent = false;
    if (c == '\n') {
      ++line;
      start = k + 1;
      indent = true;
    }
    k += length;
  }
}

CaseNode YamlReader::read() {
  if (text_.size() > largest_case_bytes)
    fail(0, 0, fmt::format("larger than a case file can be ({} bytes)", largest_case_bytes));
  lines_.assign(1, 0);
  for (std::size_t k = 0; k < text_.size(); ++k)
    if (text_[k] == '\n') lines_.push_back(k + 1);
  check_bytes();

  Builder builder(*this);
  std::istringstream stream{std::string(text_)};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& e) {
    const std::size_t line = std::min(static_cast<std::size_t>(std::max(e.mark.line, 0)), lines_.size() - 1);
    const auto stumbled = lines_[line] + static_cast<std::size_t>(std::max(e.mark.column, 0));
    const YamlFault fault = explain_yaml(text_, stumbled, e.msg);
    const auto next = std::upper_bound(lines_.begin(), lines_.end(), fault.at);
    Place where = place(static_cast<int>(next - lines_.begin()) - 1, fault.at - *std::prev(next), 1);
    where.length = std::max(1, characters(text_.substr(fault.at, fault.length)));
    fail(where, fault.message);
  }
  return std::move(builder.root);
}

}  // namespace quoin
