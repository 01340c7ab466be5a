#include "ranks.hpp"

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>

#include "quoin/communicators.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"

namespace quoin {
namespace {

/// The file where the first rank leaves its process number and, as it ends, its exit code.
constexpr const char* pid_variable = "QUOIN_FIRST_RANK";

std::atomic<int> noted_signal{0};
void note(int signal) { noted_signal = signal; }

/// A file that nobody else can write, for as long as it lives.
class PrivateFile {
 public:
  PrivateFile() {
    const char* const folder = std::getenv("TMPDIR");
    path_ = std::string(folder == nullptr ? "/tmp" : folder) + "/quoin-ranks-XXXXXX";
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw Error(ErrorKind::io, std::string("no temporary file: ") + std::strerror(errno), path_);
    close(descriptor);
  }
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;
  ~PrivateFile() { unlink(path_.c_str()); }
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

/// To the first rank, once it has said who it is.
void pass_on(int signal, const std::string& file) {
  long first = 0;
  std::ifstream(file) >> first;
  if (first > 0) kill(static_cast<pid_t>(first), signal);
}

std::optional<int> exit_code_in(const std::string& file) {
  long first = 0;
  int code = 0;
  if (std::ifstream(file) >> first >> code) return code;
  return std::nullopt;
}

/// While it lives, a wait is interrupted once a second.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    sigaction(SIGALRM, &nothing, nullptr);
    set(1);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  ~Interruptions() { set(0); }

 private:
  static void set(time_t seconds) {
    const itimerval every{{seconds, 0}, {seconds, 0}};
    setitimer(ITIMER_REAL, &every, nullptr);
  }
};

/// Waits for mpirun, which now and then stays in a lock of its own (Open MPI 4.1 with PMIx 4.2) once its ranks have
/// ended: then it is ended, and their exit code is what counts.
int exit_code_of(pid_t child, const std::string& file) {
  constexpr auto patience = std::chrono::seconds(10);
  const Interruptions interruptions;
  std::optional<std::chrono::steady_clock::time_point> told;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error(ErrorKind::device, std::string("mpirun is lost: ") + std::strerror(errno));
    if (const int signal = noted_signal.exchange(0); signal != 0) pass_on(signal, file);
    const std::optional<int> code = exit_code_in(file);
    if (!code) continue;
    if (!told) told = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - *told < patience) continue;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    log().warn("mpirun did not end after its ranks, and was ended");
    return *code;
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

Error as_error(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  if (known != nullptr)
    return {known->kind(), known->where().empty() ? known->what() : known->where() + ": " + known->what()};
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return {memory ? ErrorKind::device : ErrorKind::bug, memory ? "out of memory on the host" : error.what()};
}

/// The processors that this process may use, neighbours in the machine side by side.
std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  const auto fact = [](int processor, const char* name) {
    int value = 0;
    std::ifstream("/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/" + name) >> value;
    return value;
  };
  std::vector<std::array<int, 3>> places;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set))
      places.push_back({fact(processor, "physical_package_id"), fact(processor, "core_id"), processor});
  std::ranges::sort(places);
  std::vector<int> sorted;
  for (const auto& place : places) sorted.push_back(place.back());
  return sorted;
}

/// Ranks of a host that nobody else has pinned have a share of its processors each, if there are enough.
void pin_apart(const Communicator::Host& host) {
  const std::vector<int> all = processors();
  const auto ranks = static_cast<std::size_t>(host.size);
  if (all.size() < ranks) return;
  const auto place = static_cast<std::size_t>(host.rank);
  cpu_set_t own;
  CPU_ZERO(&own);
  for (std::size_t k = all.size() * place / ranks; k < all.size() * (place + 1) / ranks; ++k) CPU_SET(all[k], &own);
  sched_setaffinity(0, sizeof own, &own);
}

}  // namespace

bool follows(Context& context) {
  if (!started_by_launcher()) return false;
  context.ranks = open_communicator(folders_of(context));
  const char* const file = std::getenv(pid_variable);
  if (file != nullptr) pin_apart(context.ranks->host());
  if (context.ranks->rank() == 0) {
    if (file != nullptr) std::ofstream(file) << getpid() << std::endl;
    return false;
  }
  log_level(spdlog::level::err);
  const std::vector<Candidate> plugins = candidates(context);
  follow_case(plugins, key_table(plugins), *context.ranks);
  return true;
}

void add_ranks(CLI::App& command, int& ranks) {
  command.add_option("--ranks", ranks, "Run on so many processes, started by mpirun; the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20));
}

int launch_ranks(int count, const std::vector<std::string>& line, const std::string& said) {
  const PrivateFile first_rank;
  setenv(pid_variable, first_rank.path().c_str(), 1);
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
  if (count == 0) std::ofstream(first_rank.path()) << child << std::endl;
  return exit_code_of(child, first_rank.path());
}

void tell_launcher(const Communicator& ranks, int code) {
  const char* const file = std::getenv(pid_variable);
  if (file != nullptr && ranks.rank() == 0) std::ofstream(file) << getpid() << ' ' << code << std::endl;
}

void end_with_others(Communicator& ranks, const std::exception& error, const std::function<int()>& report) {
  constexpr auto patience = std::chrono::seconds(8);
  const Error told = as_error(error);
  if (ranks.rank() == 0) {
    const int code = report();
    ranks.report_failure(told);
    tell_launcher(ranks, code);
    ranks.abort(code);
  }
  ranks.report_failure(told);
  std::this_thread::sleep_for(patience);  // the first rank ends all; unless it hangs itself
  report();
  ranks.abort(told.exit_code());
  std::_Exit(told.exit_code());
}

}  // namespace quoin
