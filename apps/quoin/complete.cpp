// `quoin complete WORD...`: what may stand in place of the last word, for the completions of shells in completion/.

#include <algorithm>
#include <set>

#include "commands.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// Offers what completes a word, a line each: WORD, a tab, what it means. `@cases`, `@files` and `@folders` ask the
/// shell for names of its own.
class Completion {
 public:
  Completion(std::string word, std::vector<Candidate> plugins)
      : word_(std::move(word)), plugins_(std::move(plugins)), table_(key_table(plugins_)) {}

  [[nodiscard]] const std::string& text() const { return text_; }

  void commands(const CLI::App& app) {
    for (const CLI::App* command : subcommands(app))
      offer(command->get_name(), first_sentence(command->get_description()));
  }

  void options(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_positional()) offer(option->get_name(), option->get_description());
    }
  }

  /// Of an option or a positional argument; `prefix` is what stands before the value in the word.
  void values(const CLI::Option& option, const std::string& prefix = "") {
    const std::string type = option.get_type_name();
    const std::string kind = type.substr(0, type.find(':'));
    const std::size_t open = type.find('{');  // the choices of CLI::IsMember: {a,b}
    if (open != std::string::npos)
      return list(split_backends(type.substr(open + 1, type.find('}') - open - 1)), prefix);
    if (kind == "CASE") return ask("@cases");
    if (kind == "FILE") return ask("@files");
    if (kind == "DIR" || option.get_name() == "DIR" || kind == "PATH") return ask("@folders");
    if (kind == "WHAT") return starters();
    if (kind.starts_with("KEY=")) return settings(prefix);
    if (kind == "KEY") return keys();
    if (option.get_name() == "--backends") return list(table_.backends(), prefix);
    if (kind.starts_with("NAME") || kind.starts_with("PLUGIN"))
      for (const std::string& backend : table_.backends()) offer(prefix + backend, "");
    if (kind.starts_with("PLUGIN")) ask("@files");
  }

 private:
  void ask(const std::string& what) { text_ += what + "\n"; }

  void offer(const std::string& candidate, const std::string& meaning) {
    if (candidate.starts_with(word_) && seen_.insert(candidate).second) text_ += candidate + "\t" + meaning + "\n";
  }

  /// What `quoin new` begins.
  void starters() {
    const Key type = table_.look_up("problem.type").front();
    for (const std::string& problem : type.choices) offer(problem, "a case of it");
    for (const char* sources : {"backend", "problem"}) offer(sources, "the sources of one");
  }

  /// Words with commas between them.
  void list(const std::vector<std::string>& words, const std::string& prefix) {
    const std::size_t comma = word_.rfind(',');
    const std::string before = comma == std::string::npos ? prefix : word_.substr(0, comma + 1);
    for (const std::string& word : words) offer(before + word, "");
  }

  void keys() {
    for (const Key& key : table_.keys()) {
      for (std::size_t dot = key.path.find('.'); dot != std::string::npos; dot = key.path.find('.', dot + 1))
        if (word_.find('.') == std::string::npos) offer(key.path.substr(0, dot), "a section");
      offer(key.path, key.meaning);
    }
  }

  /// KEY=VALUE: the keys, or the values of a key that has a choice.
  void settings(const std::string& prefix) {
    const std::size_t equals = word_.find('=', prefix.size());
    if (equals != std::string::npos) {
      const std::string before = word_.substr(0, std::max(word_.rfind(',') + 1, equals + 1));  // of several values
      return values_of(word_.substr(prefix.size(), equals - prefix.size()), before);
    }
    for (const Key& key : table_.keys()) {
      const std::size_t star = key.path.find('*');  // of a name of the user's choice
      offer(prefix + (star == std::string::npos ? key.path + "=" : key.path.substr(0, star)), key.meaning);
    }
  }

  void values_of(const std::string& path, const std::string& prefix) {
    if (path == "backend" || path == "backend.name") {
      for (const std::string& backend : table_.backends()) offer(prefix + backend, "");
      return;
    }
    try {
      for (const Key& key : table_.look_up(path)) {
        if (dots_in(key.path) - (key.shorthand ? 1 : 0) > dots_in(path)) continue;
        for (const std::string& choice : key.choices) offer(prefix + choice, "");
        if (key.type != KeyType::boolean) continue;
        for (const char* choice : {"true", "false"}) offer(prefix + choice, "");
      }
    } catch (const Error&) {  // there is no such key
    }
  }

  std::string word_;
  std::vector<Candidate> plugins_;
  KeyTable table_;
  std::string text_;
  std::set<std::string> seen_;
};

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The positional argument in that place, or null.
const CLI::Option* positional(const CLI::App& app, std::size_t place) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    if (place == 0 || option->get_expected_max() > 1) return option;
    --place;
  }
  return nullptr;
}

/// `words` are those of the line, from the program's name to the one that is completed.
std::string complete(const CLI::App& program, const Context& context, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  const CLI::Option* waiting = nullptr;  // for its value
  std::size_t place = 0;
  bool of_help = false;  // only commands follow
  for (std::size_t k = 1; k + 1 < words.size(); ++k) {
    const std::string& word = words[k];
    const std::vector<const CLI::App*> below = subcommands(*app);
    const auto command = std::ranges::find(below, word, [](const CLI::App* each) { return each->get_name(); });
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (word == "help" && app == &program) {
      of_help = true;
    } else if (command != below.end()) {
      app = *command;
    } else if (word.starts_with("-")) {
      const CLI::Option* option = app->get_option_no_throw(word);
      if (option != nullptr && takes_value(*option)) waiting = option;
    } else {
      ++place;
    }
  }
  const std::string last = words.size() > 1 ? words.back() : "";
  const std::size_t equals = last.starts_with("--") ? last.find('=') : std::string::npos;
  Completion completion(last, candidates(context));
  if (waiting != nullptr) {
    completion.values(*waiting);
  } else if (equals != std::string::npos) {
    const CLI::Option* option = app->get_option_no_throw(last.substr(0, equals));
    if (option != nullptr) completion.values(*option, last.substr(0, equals + 1));
  } else if (last.starts_with("-")) {
    completion.options(*app);
  } else if (of_help || !subcommands(*app).empty()) {
    completion.commands(*app);
  } else if (const CLI::Option* option = positional(*app, place); option != nullptr) {
    completion.values(*option);
  }
  return completion.text();
}

}  // namespace

void add_complete(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand("complete", "What may stand in place of the last word of a line");
  command.group("");        // hidden
  command.set_help_flag();  // every word is one to complete
  command.prefix_command();
  command.callback([&program, &context, &command] {
    context.action = [&program, &context, &command] {
      print(complete(program, context, command.remaining()));
      return 0;
    };
  });
}

}  // namespace quoin
