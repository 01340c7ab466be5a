#include "problems/dgcvs/setup/words.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "case/scalar.hpp"
#include "quoin/error.hpp"

namespace quoin {

Words::Words(std::filesystem::path path, std::string_view separators)
    : path_(std::move(path)), separators_(std::string(separators) + " \t\r") {
  std::ifstream file(path_, std::ios::binary);
  if (!file || std::filesystem::is_directory(path_))
    throw Error(ErrorKind::io, std::string("cannot be read: ") + std::strerror(file ? EISDIR : errno), path_.string());
  text_.assign(std::istreambuf_iterator<char>(file), {});
}

std::optional<Words::Word> Words::next() {
  for (; place_ < text_.size(); ++place_) {
    const char c = text_[place_];
    if (c == '\n') {
      ++line_;
      line_start_ = place_ + 1;
    } else if (c == '#') {
      while (place_ + 1 < text_.size() && text_[place_ + 1] != '\n') ++place_;
    } else if (separators_.find(c) == std::string::npos) {
      const std::size_t end = std::min(text_.find_first_of(separators_ + "\n#", place_), text_.size());
      const Word word{std::string_view(text_).substr(place_, end - place_), line_,
                      static_cast<int>(place_ - line_start_) + 1};
      place_ = end;
      return word;
    }
  }
  return std::nullopt;
}

double Words::number(const std::string& what) {
  const std::optional<Word> word = next();
  if (!word) refuse(word, "the file ends before " + what);
  return number_of(*word, what);
}

double Words::number_of(const Word& word, const std::string& what) const {
  double value = 0.0;
  if (!read_real(word.text, value).empty()) refuse(word, what + " must be a number, not " + shown(word.text));
  return value;
}

void Words::refuse(const std::optional<Word>& word, const std::string& message) const {
  const int line = word ? word->line : line_;
  const int column = word ? word->column : static_cast<int>(place_ - line_start_) + 1;
  throw Error(ErrorKind::case_file, message,
              path_.string() + ":" + std::to_string(line) + ":" + std::to_string(column));
}

}  // namespace quoin
