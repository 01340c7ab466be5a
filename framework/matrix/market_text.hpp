#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace quoin {

/// The bytes of a Matrix Market file, word by word along its lines. What cannot be the word that is asked for throws
/// ErrorKind::case_file with file, line and column, of which no count is kept until then.
class MarketText {
 public:
  MarketText(std::string_view bytes, const std::string& name)
      : begin_(bytes.data()), end_(begin_ + bytes.size()), next_(begin_), name_(name) {}

  /// Where the next word is looked for.
  [[nodiscard]] const char* place() const { return next_; }
  void go_to(const char* place) { next_ = place; }
  [[nodiscard]] std::size_t bytes_left() const { return end_ - next_; }
  [[nodiscard]] bool at_end() const { return next_ == end_; }
  [[nodiscard]] std::int64_t line_of(const char* place) const;
  /// Those lines of the bytes that are left which begin at byte `first` of them or behind, and before byte `last`.
  [[nodiscard]] MarketText lines_from(std::size_t first, std::size_t last) const;

  /// Steps to the next word of the line or to the end of it.
  void skip_blanks() {
    while (next_ != end_ && is_blank(*next_)) ++next_;
  }
  /// Steps to the next word over lines that are blank and comments; false where there is none.
  bool find_line() {
    while (true) {
      skip_blanks();
      if (next_ != end_ && *next_ == '%') skip_line();
      if (next_ == end_) return false;
      if (*next_ != '\n') return true;
      ++next_;
    }
  }
  /// Steps to the end of the line, which may be reached already.
  void skip_line();
  /// Steps behind the end of the line, which must follow.
  void end_line() {
    skip_blanks();
    if (next_ == end_) return;
    if (*next_ != '\n') fail_at_more();
    ++next_;
  }

  /// The next word of the line, without a step over it; empty where the line ends.
  std::string_view word();
  void skip(std::string_view word) { next_ = word.data() + word.size(); }

  /// `what` is expected, such as "an integer". What no 64 bits hold becomes the least or the largest that they do.
  std::int64_t whole(std::string_view what);
  /// From 1 to `most`; of an `axis` that is a "row" or a "column".
  std::int64_t index(const char* axis, std::int64_t most) {
    skip_blanks();
    std::uint64_t value = 0;
    const char* at = next_;
    for (; at != end_; ++at) {
      const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
      if (digit > 9) break;
      value = 10 * value + digit;
    }
    constexpr std::ptrdiff_t safe_digits = 18;
    // A value of 0 becomes the largest of all.
    if (at - next_ > safe_digits || !ends_word(at) || value - 1 >= static_cast<std::uint64_t>(most)) [[unlikely]]
      return careful_index(axis, most);
    next_ = at;
    return static_cast<std::int64_t>(value);
  }
  double integer();  ///< one that a double holds exactly
  double real() {
    skip_blanks();
    double value = 0;
    const auto [stop, error] = std::from_chars(next_, end_, value);
    if (error != std::errc{} || !ends_word(stop) || !std::isfinite(value)) [[unlikely]]
      return careful_real();
    next_ = stop;
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const { fail(what, next_); }
  [[noreturn]] void fail(const std::string& what, const char* place) const;

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  [[nodiscard]] bool ends_word(const char* at) const { return at == end_ || is_blank(*at) || *at == '\n'; }
  std::string_view present_word(std::string_view what);
  std::int64_t careful_index(const char* axis, std::int64_t most);
  double careful_real();
  [[noreturn]] void fail_at_more();

  const char* begin_;
  const char* end_;
  const char* next_;
  const std::string& name_;
};

}  // namespace quoin
