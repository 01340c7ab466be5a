#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quoin {

/// The bytes of a .msh file, value by value: as words or, in binary sections, as they lie in memory. What cannot be a
/// value throws ErrorKind::case_file with the place: the line, or in binary files the byte and its section.
class GmshStream {
 public:
  GmshStream(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  void be_binary() { binary_ = true; }
  [[nodiscard]] bool binary() const { return binary_; }
  /// Numbers of nodes and elements take so many bytes: 4 or 8.
  void number_by(std::size_t bytes) { tag_bytes_ = bytes; }
  /// Where the last value starts.
  [[nodiscard]] std::size_t place() const { return place_; }
  [[nodiscard]] bool at_end();
  /// The last word starts a section of this name.
  void enter(std::string_view section) { sections_.emplace_back(place_, section); }
  /// The last word ends it.
  void leave() { sections_.emplace_back(next_, std::string_view()); }

  std::string_view word();
  std::string quoted();
  std::int64_t number();  ///< a word, in binary files too
  std::int64_t int32();   ///< a word, or 4 bytes
  std::int64_t int64();   ///< a word, or 8 bytes
  std::int64_t tag();     ///< int32() or int64(), as number_by() says
  double real();          ///< a finite one; a word, or 8 bytes
  bool flag();            ///< int32(), 0 or 1
  /// Steps behind the end of the line, which must hold nothing more.
  void end_line();
  /// Steps behind the next `word`, which starts a line.
  void skip_to(const std::string& word);
  /// `count`, unless it is negative or so many records of at least the given sizes cannot follow.
  std::int64_t checked(std::int64_t count, const char* what, std::size_t words, std::size_t bytes) const;

  [[noreturn]] void fail(const std::string& what) const { fail(what, place_); }
  [[noreturn]] void fail(const std::string& what, std::size_t place) const;
  /// Of what Gmsh would not write.
  [[noreturn]] void broken(const std::string& what) const { broken(what, place_); }
  [[noreturn]] void broken(const std::string& what, std::size_t place) const;

 private:
  template <class T>
  T raw();
  template <class T>
  T parsed(std::string_view text, const char* what) const;
  void skip_space();
  [[nodiscard]] std::string_view section_at(std::size_t place) const;
  [[noreturn]] void fail_at_end() const;

  std::string_view bytes_;
  const std::string& name_;
  std::size_t next_ = 0;
  std::size_t place_ = 0;
  bool binary_ = false;
  std::size_t tag_bytes_ = 4;
  std::vector<std::pair<std::size_t, std::string_view>> sections_;  // where each starts; empty: what lies between them
};

}  // namespace quoin
