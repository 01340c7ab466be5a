// Finds keys of the table by what a user calls them.

#include <algorithm>

#include "base/text.hpp"
#include "case/path.hpp"
#include "quoin/case.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// The key that is meant by its last name alone, `tolerance`; or one that is spelt almost like `path`.
std::string suggestion(const std::vector<Key>& keys, std::string_view path) {
  std::vector<std::string> last_names;
  std::vector<std::string> names;
  for (const Key& key : keys) {
    last_names.push_back(key.path.substr(key.path.rfind('.') + 1));
    names.push_back(key.path);
    for (std::size_t dot = key.path.find('.'); dot != std::string::npos; dot = key.path.find('.', dot + 1))
      names.push_back(key.path.substr(0, dot));
  }
  const auto same = std::ranges::find(last_names, path);
  if (same == last_names.end()) return did_you_mean(path, names);
  return "; did you mean '" + keys[static_cast<std::size_t>(same - last_names.begin())].path + "'?";
}

}  // namespace

std::vector<Key> KeyTable::look_up(std::string_view path) const {
  std::vector<Key> found;
  const auto add = [&](const auto& wanted) { std::ranges::copy_if(keys_, std::back_inserter(found), wanted); };
  add([&](const Key& key) { return key.path == path || match_path(key.path, path); });
  if (!found.empty())  // of another problem it may be the short form of a key
    add([&](const Key& key) { return key.shorthand && match_path(key.path.substr(0, key.path.rfind('.')), path); });
  if (found.empty()) add([&](const Key& key) { return match_section(key.path, path).has_value(); });
  if (found.empty())
    throw Error(ErrorKind::usage, "the case file has no key or section " + shown(path) + suggestion(keys_, path));
  return found;
}

}  // namespace quoin
