#include <fcntl.h>
#include <spawn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "first_rank.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "ranks.hpp"

namespace quoin {
namespace {

std::atomic<int> noted_signal{0};
void note(int signal) { noted_signal = signal; }

/// A folder that nobody else can write, for as long as it lives.
class PrivateFolder {
 public:
  explicit PrivateFolder(const std::string& name) {
    const char* const parent = std::getenv("TMPDIR");
    path_ = std::string(parent == nullptr ? "/tmp" : parent) + "/" + name + "-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr)
      throw Error(ErrorKind::io, std::string("no temporary folder: ") + std::strerror(errno), path_);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

pid_t start(std::vector<std::string> words, const std::string& said) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Keys that end a run reach this process alone, which passes them on to the first rank: mpirun would kill the ranks.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr mode_t readable = 0644;
  if (!said.empty()) {
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, readable);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  }
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0)
    throw Error(ErrorKind::plugin,
                words[0] + " cannot be started: " + std::strerror(failed) + "; install an MPI (Debian: openmpi-bin)");
  return child;
}

/// Not so once it has ended, though nobody has waited for it.
bool runs(pid_t process) {
  std::string facts;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), facts);
  const std::size_t name_end = facts.rfind(')');  // ") STATE"
  return name_end != std::string::npos && facts.substr(name_end).find_first_of("ZX") != 2;
}

/// While it lives, a wait is interrupted five times a second.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    sigaction(SIGALRM, &nothing, nullptr);
    set(200'000);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  ~Interruptions() { set(0); }

 private:
  static void set(suseconds_t microseconds) {
    const itimerval every{{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &every, nullptr);
  }
};

/// Waits for mpirun, which now and then stays in a lock of its own (Open MPI 4.1 with PMIx 4.2) once its ranks have
/// ended: then it is ended, and their exit code is what counts.
int exit_code_of(pid_t child, const std::string& file) {
  constexpr auto patience = std::chrono::seconds(5);
  const Interruptions interruptions;
  bool seen = false;  // the first rank, which may be on another host
  std::optional<std::chrono::steady_clock::time_point> ended;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error(ErrorKind::device, std::string("mpirun is lost: ") + std::strerror(errno));
    const auto [first, code] = read_first_rank(file);
    if (first == 0) continue;  // a signal is kept for it
    if (const int signal = noted_signal.exchange(0); signal != 0) kill(first, signal);
    const bool there = runs(first);
    seen = seen || there;
    if (!code && (there || !seen)) continue;
    if (!ended) ended = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - *ended < patience) continue;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    log().warn("mpirun did not end after its ranks, and was ended");
    return code.value_or(128 + SIGKILL);
  }
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

/// The words of a command line behind the program, without `--ranks N`.
std::vector<std::string> of_each_rank(const std::vector<std::string>& words) {
  std::vector<std::string> command;
  for (std::size_t k = 1; k < words.size(); ++k) {
    if (words[k] == "--ranks") {
      ++k;
    } else if (!words[k].starts_with("--ranks=")) {
      command.push_back(words[k]);
    }
  }
  return command;
}

}  // namespace

int launch_ranks(int count, const std::vector<std::string>& line, const std::string& said) {
  const PrivateFolder own("quoin-ranks");
  const std::string first_rank = own.path() + "/first-rank";
  setenv(first_rank_variable, first_rank.c_str(), 1);
  // Open MPI has one for all that a user runs: as one mpirun ends, it may remove what another has just made there.
  const PrivateFolder sessions("quoin-mpirun");
  setenv("OMPI_MCA_orte_top_session_dir", sessions.path().c_str(), 1);
  // What mpirun asks of a user who is root; `quoin run` alone would not ask.
  if (geteuid() == 0)
    for (const char* const name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) setenv(name, "1", 1);
  std::vector<std::string> words;
  if (count > 0) words = {"mpirun", "--quiet", "--bind-to", "none", "-n", std::to_string(count)};
  if (count > static_cast<int>(std::thread::hardware_concurrency())) {
    words.emplace_back("--oversubscribe");
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  }
  words.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  const std::vector<std::string> command = of_each_rank(line);
  words.insert(words.end(), command.begin(), command.end());
  struct sigaction noting {};
  noting.sa_handler = note;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &noting, nullptr);
  const pid_t child = start(std::move(words), said);
  if (count == 0) write_first_rank(first_rank, {child, {}});
  return exit_code_of(child, first_rank);
}

}  // namespace quoin
