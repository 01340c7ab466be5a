#include <csignal>
#include <iostream>
#include <new>

#include "commands.hpp"
#include "quoin/error.hpp"

using quoin::ErrorKind;

namespace {

/// The arguments as a shell would take them again.
std::string quoted(int argc, char** argv) {
  std::string line;
  for (int k = 0; k < argc; ++k) {
    const std::string word = argv[k];
    if (k > 0) line += ' ';
    if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                "-_=./:,+@%") == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

int fail(const std::string& message, int code) {
  std::cerr << "quoin: error: " << message << "\n";
  return code;
}

/// Tells the plugins that the process ends, however it does.
struct Shutdown {
  Shutdown() = default;
  Shutdown(const Shutdown&) = delete;
  Shutdown& operator=(const Shutdown&) = delete;
  ~Shutdown() { quoin::shutdown_backends(); }
};

int perform(int argc, char** argv) {
  quoin::Context context;
  context.command_line = quoted(argc, argv);
  CLI::App program;
  quoin::add_commands(program, context);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return program.exit(e);
  } catch (const CLI::ParseError& e) {
    const CLI::App* command = &program;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    const std::vector<std::string> rest = program.remaining(true);
    const bool unknown = command->get_require_subcommand_min() > 0 && !rest.empty();
    return fail((unknown ? "unknown command or option '" + rest.front() + "'" : e.what()) +
                    "\nTry 'quoin --help' or 'quoin COMMAND --help'.",
                static_cast<int>(ErrorKind::usage));
  }
  const Shutdown shutdown;
  return context.action();
}

}  // namespace

int main(int argc, char** argv) {
  // A reader of standard output that goes away must not take the run with it.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return perform(argc, argv);
  } catch (const quoin::Error& e) {
    if (e.kind() == ErrorKind::case_file && e.where().empty()) {  // carries its places, one mistake after the other
      std::cerr << e.what() << "\n";
      return e.exit_code();
    }
    return fail(e.where().empty() ? e.what() : e.where() + ": " + e.what(), e.exit_code());
  } catch (const std::bad_alloc&) {
    return fail("out of memory on the host; 'quoin check' estimates what a case needs",
                static_cast<int>(ErrorKind::device));
  } catch (const std::exception& e) {
    return fail(std::string(e.what()) + " (this is a bug in Quoin: please report it with the command line)",
                static_cast<int>(ErrorKind::bug));
  }
}
