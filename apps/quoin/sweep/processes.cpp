#include "sweep/processes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr std::array watched{SIGINT, SIGTERM, SIGCHLD};
constexpr int cannot_start = 127;

/// What happens, a signal's number each: written by a handler, which may interrupt anything, read by wait().
std::array<int, 2> events{-1, -1};
std::array<struct sigaction, watched.size()> earlier_actions{};

void tell(int signal) {
  const int saved = errno;
  const auto number = static_cast<unsigned char>(signal);
  const ssize_t ignored = write(events[1], &number, 1);
  static_cast<void>(ignored);
  errno = saved;
}

[[noreturn]] void refuse_start(const std::string& what) {
  throw Error(ErrorKind::device, what + ": " + std::strerror(errno), this_program());
}

/// In the new process, where nothing may be allocated. It gets SIGINT when the one that started it is gone.
[[noreturn]] void become(char* const* words, const char* input, int said, pid_t parent, const sigset_t& mask) {
  for (const int signal : watched) ::signal(signal, SIG_DFL);
  setpgid(0, 0);  // keys that end this program reach it alone, and it passes them on
  prctl(PR_SET_PDEATHSIG, SIGINT);
  dup2(open(input, O_RDONLY | O_CLOEXEC), STDIN_FILENO);  // from its beginning, whoever else reads it
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (getppid() == parent) execv("/proc/self/exe", words);  // even where its file has been replaced
  _exit(cannot_start);
}

std::string end_of(int file) {
  constexpr off_t most = 4096;
  struct stat info {};
  if (fstat(file, &info) != 0) return {};
  const off_t start = std::max<off_t>(0, info.st_size - most);
  std::string text(static_cast<std::size_t>(info.st_size - start), '\0');
  const ssize_t read = pread(file, text.data(), text.size(), start);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
  return text;
}

}  // namespace

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

Processes::Processes(std::string_view input) : input_(memfd_create("input", MFD_CLOEXEC)) {
  if (input_ < 0 || write(input_, input.data(), input.size()) != static_cast<ssize_t>(input.size()))
    refuse_start("no file for what processes read");
  if (pipe2(events.data(), O_CLOEXEC) != 0) refuse_start("no pipe");
  fcntl(events[1], F_SETFL, O_NONBLOCK);
  struct sigaction action {};
  action.sa_handler = tell;
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &action, &earlier_actions[k]);
}

Processes::~Processes() {
  pass_on(SIGINT);
  for (const Running& each : running_) {
    while (waitpid(each.process, nullptr, 0) < 0 && errno == EINTR) {
    }
    close(each.said);
  }
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &earlier_actions[k], nullptr);
  for (const int end : events) close(end);
  close(input_);
}

void Processes::pass_on(int signal) const {
  for (const Running& each : running_) kill(each.process, signal);
}

void Processes::start(std::size_t job, const std::vector<std::string>& words) {
  std::vector<std::string> line{this_program()};
  line.insert(line.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : line) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int said = memfd_create("said", MFD_CLOEXEC);
  if (said < 0) refuse_start("no file for what a process says");
  running_.reserve(running_.size() + 1);
  const std::string input = "/proc/self/fd/" + std::to_string(input_);
  const pid_t parent = getpid();
  sigset_t all;
  sigset_t mask;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);  // no handler of ours in the new process
  const pid_t process = fork();
  if (process == 0) become(arguments.data(), input.c_str(), said, parent, mask);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (process < 0) {
    close(said);
    refuse_start("cannot be started");
  }
  running_.push_back({job, process, said});
}

std::optional<Processes::Ended> Processes::ended() {
  for (auto each = running_.begin(); each != running_.end(); ++each) {
    int status = 0;
    if (waitpid(each->process, &status, WNOHANG) != each->process) continue;
    Ended ended{each->job, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), end_of(each->said)};
    close(each->said);
    running_.erase(each);
    return ended;
  }
  return std::nullopt;
}

std::optional<Processes::Ended> Processes::wait() {
  for (;;) {
    if (std::optional<Ended> one = ended()) return one;
    unsigned char signal = 0;
    if (read(events[0], &signal, 1) != 1 || signal == SIGCHLD) continue;
    caught_ = signal;
    pass_on(caught_);
    return std::nullopt;
  }
}

}  // namespace quoin
