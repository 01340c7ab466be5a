// Any text as a case file, with values of the command line behind it: a case, or an error of the case. A case that is
// taken reads back from its resolved form as the same case.

#include "quoin/case.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "case/expression.hpp"
#include "problems/dgcvs/setup/keys.hpp"
#include "problems/jacobi/setup/keys.hpp"
#include "quoin/error.hpp"
#include "quoin/problem.hpp"

namespace {

using namespace quoin;

KeyTable table() {
  std::vector<ProblemType> problems(2);
  problems[0].name = "dg-cvs";
  problems[0].keys = dgcvs_keys();
  problems[1].name = "jacobi";
  problems[1].keys = jacobi_keys();
  KeyTable keys(problems);
  keys.add_backend("serial", {});
  Key depth;
  depth.path = "sweep_depth";
  depth.type = KeyType::integer;
  depth.minimum = 1;
  depth.maximum = 8;
  Key data;
  data.path = "data";
  data.type = KeyType::choice;
  data.choices = {"resident", "per_kernel"};
  data.fallback = "resident";
  keys.add_backend("openmp", {depth, data});
  return keys;
}

/// The text up to the first record separator; then `path=value` between separators, as --set gives them.
std::vector<Override> overrides_of(std::string& text) {
  constexpr char separator = '\x1e';
  std::vector<Override> changes;
  while (changes.size() < 8) {
    const std::size_t at = text.rfind(separator);
    if (at == std::string::npos) break;
    const std::string change = text.substr(at + 1);
    const std::size_t equals = change.find('=');
    const std::string path = change.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : change.substr(equals + 1);
    changes.push_back({path, value, path.starts_with('-') ? path : ""});
    if (path.starts_with('-')) changes.back().path = path == "--backend" ? "backend" : "output.directory";
    text.resize(at);
  }
  return changes;
}

/// Asks for a value as its type has it, as problems do.
void look(const Case& the_case, const Key& key, const std::string& path) {
  if (!the_case.has(path)) return;
  switch (key.type) {
    case KeyType::text:
    case KeyType::choice:
      (void)the_case.text(path);
      break;
    case KeyType::boolean:
      (void)the_case.boolean(path);
      break;
    case KeyType::integer:
      (void)the_case.integer(path);
      break;
    case KeyType::real:
      (void)the_case.real(path);
      break;
    case KeyType::integers:
      (void)the_case.integers(path);
      break;
    case KeyType::reals:
      (void)the_case.reals(path);
      break;
    case KeyType::points:
      (void)the_case.points(path);
      break;
    case KeyType::duration:
      (void)the_case.seconds(path);
      break;
    case KeyType::expression:
      if (std::ranges::find(key.choices, the_case.text(path)) == key.choices.end())
        (void)the_case.expression(path, problem_constants())(0.5, 0.5);
      break;
  }
  if (the_case.error_at(path, "a mistake", 3).kind() != ErrorKind::case_file) std::abort();
}

void look(const Case& the_case, const KeyTable& keys) {
  for (const Key& key : keys.keys()) {
    const std::size_t star = key.path.find(".*");
    if (star == std::string::npos) {
      look(the_case, key, key.path);
      continue;
    }
    const std::string section = key.path.substr(0, star);
    for (const std::string& name : the_case.names(section))
      look(the_case, key, section + "." + name + key.path.substr(star + 2));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const KeyTable keys = table();
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<Override> changes = overrides_of(text);
  try {
    const Case the_case = Case::parse(text, "case.yaml", changes, keys);
    look(the_case, keys);
    const Case again = [&] {
      try {
        return Case::parse(the_case.resolved(), "resolved.yaml", {}, keys);
      } catch (const Error&) {
        std::abort();
      }
    }();
    if (again.resolved() != the_case.resolved() || again.sha256() != the_case.sha256()) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::case_file) std::abort();
  }
  return 0;
}
