// `quoin new`: something to start from.

#include "new.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "commands.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"
#include "quoin/words.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

struct NewArguments {
  std::string what;
  std::string path;
};

/// The example that the sources of a backend or of a problem are copied from.
constexpr std::array examples{std::pair{"backend", "template"}, std::pair{"problem", "heat"}};

[[noreturn]] void refuse_place(const std::string& what, const fs::path& path, int code) {
  throw Error(ErrorKind::io, what + ": " + std::strerror(code), path.string());
}

void require_nothing_at(const fs::path& path) {
  std::error_code none;
  if (fs::exists(fs::symlink_status(path, none)))
    throw Error(ErrorKind::io, "is there already, and stays as it is; choose another name, or remove it",
                path.string());
}

/// A folder beside what is to be made, and gone with all that is in it.
class Workshop {
 public:
  explicit Workshop(const fs::path& beside) {
    std::string name = (beside / ".quoin-new-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) refuse_place("cannot write into the folder", beside, errno);
    path_ = name;
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Never replaces anything.
void move_to(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  const int code = errno;
  require_nothing_at(to);
  if (code != EINVAL) refuse_place("cannot be made", to, code);
  if (::rename(from.c_str(), to.c_str()) != 0) refuse_place("cannot be made", to, errno);  // a file system without
}

/// Has `make` make the file or folder elsewhere, and moves it to `path`: whole or not at all.
template <class Make>
void make_new(const fs::path& path, const Make& make) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (std::error_code none; !fs::is_directory(parent, none))
    throw Error(ErrorKind::io, "there is no such folder; make it first", parent.string());
  require_nothing_at(path);
  const Workshop workshop(parent);
  const fs::path made = workshop.path() / path.filename();
  try {
    make(made);
  } catch (const Error& error) {
    if (!error.where().starts_with(made.string())) throw;
    throw Error(error.kind(), error.what(), path.string());
  }
  move_to(made, path);
}

void require_free(const std::string& name, const KeyTable& table) {
  const auto refuse_name = [&](const std::string& what) {
    throw Error(ErrorKind::usage, "there is " + what + " '" + name + "' already; choose another name");
  };
  const auto is_in = [&name](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is_in(table.backends())) refuse_name("a backend");
  if (const Key type = table.look_up("problem.type").front(); is_in(type.choices)) refuse_name("a problem");
  if (std::ranges::find(catalogue, name, &CatalogueEntry::family) != catalogue.end())
    refuse_name("a family of kernels");
}

void new_case(const ProblemType& problem, const std::string& path) {
  if (problem.starter.empty())
    throw Error(ErrorKind::usage, "the problem '" + problem.name + "' brings no case to start from");
  if (path == "-") return print(starter_case(problem, problem.name));
  const fs::path file = path.empty() ? problem.name + ".yaml" : path;
  make_new(file, [&](const fs::path& made) { write_file(made.string(), starter_case(problem, file)); });
  print(file.string() + ": a case to start from, which 'quoin run' takes as it is\n");
}

void new_sources(const Example& example, const std::string& what, const std::string& path, const KeyTable& table) {
  const fs::path normal = fs::path(path).lexically_normal();
  const fs::path folder = normal.has_filename() ? normal : normal.parent_path();
  const std::string name = folder.filename().string();
  require_free(name, table);
  require_name(example, name);
  make_new(folder, [&](const fs::path& made) { copy_renamed(example, name, made); });
  print(folder.string() + ": the sources of a " + what + " to start from; how to build and use it says\n  " +
        (example.folder / "README.md").string() + "\n");
}

/// What to do about a word that is no problem.
std::string advice(const std::string& what, const KeyTable& table) {
  const Key type = table.look_up("problem.type").front();
  if (const auto hint = std::ranges::find(type.hints, what, &Hint::value); hint != type.hints.end())
    return "; " + hint->answer;
  std::vector<std::string> known = type.choices;
  for (const auto& [word, example] : examples) known.emplace_back(word);
  const std::string near = did_you_mean(what, known);
  return near.empty() ? fmt::format("; there are: {}", fmt::join(known, ", ")) : near;
}

int write_new(const Context& context, const NewArguments& arguments) {
  const auto& [what, path] = arguments;
  const KeyTable table = key_table(candidates(context));
  if (const auto example = std::ranges::find(examples, what, [](const auto& row) { return row.first; });
      example != examples.end()) {
    if (path.empty()) throw Error(ErrorKind::usage, "it needs a name: quoin new " + what + " NAME");
    new_sources({share_folder() / "doc/quoin" / example->second, example->second}, what, path, table);
    return 0;
  }
  const std::vector<ProblemType>& problems = problem_types();
  const auto problem = std::ranges::find(problems, what, &ProblemType::name);
  if (problem == problems.end())
    throw Error(ErrorKind::usage, "there is no '" + what + "' to start" + advice(what, table));
  new_case(*problem, path);
  return 0;
}

}  // namespace

void add_new(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "new", "Write a case, a backend or a problem to start from. Nothing that is there is replaced.");
  const auto arguments = std::make_shared<NewArguments>();
  command
      .add_option("what", arguments->what,
                  "The name of a problem, for a case of it with comments; 'backend' or 'problem', for the sources of "
                  "one")
      ->type_name("WHAT")
      ->required();
  command
      .add_option("path", arguments->path,
                  "The case file [WHAT.yaml], - for standard output; or the folder of the sources, whose name the "
                  "backend or problem gets")
      ->type_name("PATH");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return write_new(context, *arguments); }; });
}

}  // namespace quoin
