#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/case.hpp"

namespace quoin {

/// One value of a case file with its place. A child of a map carries its key.
struct CaseNode {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  std::string text;     ///< scalar
  bool quoted = false;  ///< scalar: written in quotes or as a block
  Place place;
  int first = 0;  ///< scalar: column of its first character where text and line agree one to one; else 0
  std::string key;
  Place key_place;
  std::vector<CaseNode> children;
  bool shorthand = false;  ///< map: its first child is the plain value that stood in its place, without a key

  [[nodiscard]] const CaseNode* child(std::string_view wanted) const {
    for (const CaseNode& node : children)
      if (node.key == wanted) return &node;
    return nullptr;
  }
};

/// Limits of a case file, so that a hostile one costs bounded time and memory: before it reports the first bracket,
/// yaml-cpp looks ahead to the last at up to 240 bytes a byte, so only a limit on the file's size bounds it.
inline constexpr std::size_t largest_case_bytes = std::size_t{200} << 10;
inline constexpr std::size_t deepest_nesting = 32;
inline constexpr std::size_t max_nodes = 10000;

/// Reads the subset of YAML that case files use: one document, no anchors, aliases or tags.
class YamlReader {
 public:
  /// `origin` is the place of the text's first character; its source is where mistakes are reported.
  YamlReader(std::string_view text, Place origin, Diagnostics& diagnostics);
  /// The document, null where it is empty. Duplicate keys are noted in the diagnostics (the first counts); a text
  /// that is no case file at all throws ErrorKind::case_file at once.
  CaseNode read();
  /// Values seen so far; never more than max_nodes.
  [[nodiscard]] std::size_t visited() const { return visited_; }

 private:
  class Builder;
  // Lines and columns count from 0, columns in bytes as yaml-cpp does.
  [[noreturn]] void fail(int line, std::size_t column, const std::string& message) const;
  [[noreturn]] void fail(const Place& where, const std::string& message) const;
  void check_bytes() const;
  [[nodiscard]] Place place(int line, std::size_t column, int length) const;
  [[nodiscard]] std::string_view line_text(int line) const;

  std::string_view text_;
  Place origin_;
  Diagnostics& diagnostics_;
  std::vector<std::size_t> lines_;  // where each line starts
  std::size_t visited_ = 0;
};

}  // namespace quoin
