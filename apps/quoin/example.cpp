// A backend or a problem to start from: an installed example under another name.

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>

#include "commands.hpp"
#include "new.hpp"
#include "quoin/error.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

constexpr std::string_view guide = "README.md";
/// What the example does, which stays true of its copy.
constexpr std::string_view kept_behind = " equation";

// Of C++, besides those that an example uses.
constexpr std::array keywords{
    "alignas",  "alignof",  "and",     "asm",       "auto",     "bitand",   "bitor", "bool",      "break",
    "case",     "catch",    "char",    "class",     "compl",    "concept",  "const", "consteval", "constexpr",
    "continue", "decltype", "default", "delete",    "do",       "double",   "else",  "enum",      "explicit",
    "export",   "extern",   "false",   "float",     "for",      "friend",   "goto",  "if",        "inline",
    "int",      "long",     "mutable", "namespace", "new",      "noexcept", "not",   "nullptr",   "operator",
    "or",       "private",  "public",  "register",  "requires", "return",   "short", "signed",    "sizeof",
    "static",   "struct",   "switch",  "template",  "this",     "throw",    "true",  "try",       "typedef",
    "typeid",   "typename", "union",   "unsigned",  "using",    "virtual",  "void",  "volatile",  "while",
    "xor"};

bool of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// `heat_wave`, `HeatWave` and `HEAT_WAVE`.
std::array<std::string, 3> spellings(const std::string& name) {
  std::string title;
  std::string capitals;
  bool starts = true;
  for (const char c : name) {
    const char capital = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    capitals += capital;
    if (c != '_') title += starts ? capital : c;
    starts = c == '_';
  }
  return {name, title, capitals};
}

std::string renamed(std::string text, const std::string& from, const std::string& to) {
  const auto old_words = spellings(from);
  const auto new_words = spellings(to);
  for (std::size_t k = 0; k < old_words.size(); ++k) {
    for (std::size_t at = text.find(old_words[k]); at != std::string::npos; at = text.find(old_words[k], at)) {
      const std::size_t behind = at + old_words[k].size();
      if (std::string_view(text).substr(behind).starts_with(kept_behind)) {
        at = behind;
        continue;
      }
      text.replace(at, old_words[k].size(), new_words[k]);
      at += new_words[k].size();
    }
  }
  return text;
}

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error(ErrorKind::io, "cannot read the example; is the installation whole?", file.string());
  return text;
}

/// The files of the example, relative to its folder, without its guide.
std::vector<fs::path> files_of(const Example& example) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(example.folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->is_regular_file() && entry->path().filename() != guide)
      files.push_back(entry->path().lexically_relative(example.folder));
  if (code || files.empty())
    throw Error(ErrorKind::io, "the example is not there; it is installed with Quoin's headers (Debian: quoin-dev)",
                example.folder.string());
  return files;
}

bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !of_word(text[at - 1])) && (end == text.size() || !of_word(text[end]))) return true;
  }
  return false;
}

}  // namespace

void require_name(const Example& example, const std::string& name) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorKind::usage, "'" + name + "' " + why); };
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || !std::ranges::all_of(name, plain) || name[0] < 'a')
    refuse("cannot be its name: it takes small letters, digits and _, and starts with a letter");
  if (std::ranges::find(keywords, name) != keywords.end()) refuse("is a word of C++; choose another name");
  if (name == example.name) return;
  for (const fs::path& file : files_of(example)) {
    const std::string text = read(example.folder / file);
    for (const std::string& word : spellings(name))
      if (has_word(text, word))
        refuse("would be taken for another thing: '" + word + "' stands in the example's " + file.string() +
               "; choose another name");
  }
}

void copy_renamed(const Example& example, const std::string& name, const fs::path& copy) {
  fs::create_directory(copy);
  for (const fs::path& file : files_of(example)) {
    fs::path there = copy;
    for (const fs::path& part : file) there /= renamed(part.string(), example.name, name);
    fs::create_directories(there.parent_path());
    write_file(there.string(), renamed(read(example.folder / file), example.name, name));
  }
}

}  // namespace quoin
