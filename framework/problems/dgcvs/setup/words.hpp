#pragma once

// The words of a text file that a case names, each with its place.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace quoin {

/// Words stand between separators; what follows a # on a line is none of them.
class Words {
 public:
  struct Word {
    std::string_view text;
    int line, column;  ///< from 1
  };
  /// Reads the file. Throws ErrorKind::io where it cannot. Blanks separate words in any case.
  Words(std::filesystem::path path, std::string_view separators);

  /// Empty behind the last one.
  std::optional<Word> next();
  /// The next word as a number; `what` names it where there is none, or no number. Throws ErrorKind::case_file.
  double number(const std::string& what);
  /// That word as one.
  [[nodiscard]] double number_of(const Word& word, const std::string& what) const;
  /// Throws ErrorKind::case_file at that word; at the end of the file without one.
  [[noreturn]] void refuse(const std::optional<Word>& word, const std::string& message) const;

 private:
  std::filesystem::path path_;
  std::string separators_, text_;
  std::size_t place_ = 0, line_start_ = 0;
  int line_ = 1;
};

}  // namespace quoin
