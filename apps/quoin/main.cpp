#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include "commands.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/words.hpp"
#include "ranks.hpp"

using quoin::ErrorKind;
using quoin::fail;

namespace {

// Where memory runs out inside a library, what comes out may be anything, such as a formula that cannot be read: this
// is what it comes from.
std::atomic<bool> out_of_memory{false};
std::terminate_handler usual_end = nullptr;

void note_lack_of_memory() {
  out_of_memory = true;
  throw std::bad_alloc();
}

/// Libraries end the process where memory runs out in a function that must not throw. That is no bug of theirs.
void end_without_memory() {
  constexpr std::string_view message = "quoin: error: out of memory on the host\n";
  if (!out_of_memory) usual_end();
  const ssize_t ignored = write(STDERR_FILENO, message.data(), message.size());
  static_cast<void>(ignored);
  _exit(static_cast<int>(ErrorKind::device));
}

/// Standard streams that are closed would give their numbers, and what is printed, to the next files that are opened.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // fails as before
  }
}

/// Tells the plugins that the process ends, however it does.
struct Shutdown {
  Shutdown() = default;
  Shutdown(const Shutdown&) = delete;
  Shutdown& operator=(const Shutdown&) = delete;
  ~Shutdown() { quoin::shutdown_backends(); }
};

int perform(quoin::Context& context, int argc, char** argv) {
  context.words = {argv, argv + argc};
  context.command_line = quoin::shell_line(context.words);
  CLI::App program;
  quoin::add_commands(program, context);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return program.exit(e);
  } catch (const CLI::ParseError& e) {
    return fail(quoin::usage_fault(program, e.what()) + "\nTry 'quoin --help' or 'quoin COMMAND --help'.",
                static_cast<int>(ErrorKind::usage));
  }
  const Shutdown shutdown;
  return context.action();
}

int report(const std::exception& e) {
  const bool plain = dynamic_cast<const std::bad_alloc*>(&e) != nullptr;
  const auto* system = dynamic_cast<const std::system_error*>(&e);
  if (plain || out_of_memory || (system != nullptr && system->code() == std::errc::not_enough_memory)) {
    return fail("out of memory on the host; 'quoin check' estimates what a case needs" +
                    (plain ? "" : " (it showed as: " + std::string(e.what()) + ")"),
                static_cast<int>(ErrorKind::device));
  }
  const auto* error = dynamic_cast<const quoin::Error*>(&e);
  if (error == nullptr)
    return fail(std::string(e.what()) + " (this is a bug in Quoin: please report it with the command line)",
                static_cast<int>(ErrorKind::bug));
  if (error->kind() == ErrorKind::case_file && error->where().empty()) {  // carries its places, a mistake each
    const auto* of_case = dynamic_cast<const quoin::CaseError*>(error);
    std::cerr << (of_case != nullptr ? of_case->diagnostics().text(quoin::coloured_errors()) : e.what()) << "\n";
    return error->exit_code();
  }
  const std::string where = quoin::printable(error->where(), true);
  return fail(where.empty() ? e.what() : where + ": " + e.what(), error->exit_code());
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  std::set_new_handler(note_lack_of_memory);
  usual_end = std::set_terminate(end_without_memory);
  std::signal(SIGPIPE, SIG_IGN);  // a reader of standard output that goes away must not take the run with it
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond `ulimit -f` is an error of the write
  quoin::Context context;
  try {
    const int code = perform(context, argc, argv);
    if (context.ranks) quoin::tell_launcher(*context.ranks, code);
    return code;
  } catch (const std::exception& e) {
    if (context.ranks) quoin::end_with_others(*context.ranks, e, [&e] { return report(e); });
    return report(e);
  }
}
