#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace quoin {

/// The bytes of a .msh file, value by value: as words or, in binary sections, as they lie in memory. What cannot be a
/// value throws ErrorKind::case_file with the place.
class GmshStream {
 public:
  GmshStream(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  void be_binary() { binary_ = true; }
  [[nodiscard]] bool binary() const { return binary_; }
  /// Where the last value starts.
  [[nodiscard]] std::size_t place() const { return place_; }
  [[nodiscard]] bool at_end();

  std::string_view word();
  std::string quoted();
  std::int64_t number();  ///< a word, in binary files too
  std::int64_t int32();   ///< a word, or 4 bytes
  std::int64_t int64();   ///< a word, or 8 bytes
  double real();          ///< a finite one; a word, or 8 bytes
  /// Steps over the rest of a line.
  void end_line();
  /// Steps behind the next `word`, which starts a line.
  void skip_to(const std::string& word);
  /// `count`, unless it is negative or so many records of at least the given sizes cannot follow.
  std::int64_t checked(std::int64_t count, const char* what, std::size_t words, std::size_t bytes) const;

  [[noreturn]] void fail(const std::string& what) const { fail(what, place_); }
  [[noreturn]] void fail(const std::string& what, std::size_t place) const;

 private:
  template <class T>
  T raw();
  void skip_space();

  std::string_view bytes_;
  const std::string& name_;
  std::size_t next_ = 0;
  std::size_t place_ = 0;
  bool binary_ = false;
};

}  // namespace quoin
