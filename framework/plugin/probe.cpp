// Opens a plugin in another process, so that whatever it does ends there. That process is a program of its own and not
// a fork of this one: the runtimes of GPUs do not work in a process forked after they were used.

#include "plugin/probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/library_folder.hpp"
#include "plugin/loader.hpp"
#include "plugin/problems.hpp"

namespace quoin {
namespace {

using nlohmann::json;
using Clock = Probing::Clock;

constexpr char end_of_answer = '\n';
constexpr std::size_t longest_answer = 16U << 20;

json to_json(const DeviceInfo& d) {
  return {{"name", d.name},
          {"kind", d.kind},
          {"memory_bytes", d.memory_bytes},
          {"units", d.units},
          {"subgroup", d.subgroup},
          {"peak_bandwidth", d.peak_bandwidth},
          {"memories", d.memories},
          {"precisions", d.precisions},
          {"error_bound", d.error_bound},
          {"note", d.note},
          {"driver", d.driver},
          {"version", d.version}};
}

DeviceInfo device_from(const json& j) {
  DeviceInfo d;
  j.at("name").get_to(d.name);
  j.at("kind").get_to(d.kind);
  j.at("memory_bytes").get_to(d.memory_bytes);
  j.at("units").get_to(d.units);
  j.at("subgroup").get_to(d.subgroup);
  j.at("peak_bandwidth").get_to(d.peak_bandwidth);
  j.at("memories").get_to(d.memories);
  j.at("precisions").get_to(d.precisions);
  j.at("error_bound").get_to(d.error_bound);
  j.at("note").get_to(d.note);
  j.at("driver").get_to(d.driver);
  j.at("version").get_to(d.version);
  return d;
}

/// Everything that a run would do up to the list of devices, or to the executor of a choice. A problem has no devices.
json look(const Candidate& candidate, const json& choice) {
  static constexpr quoin_host silent{sizeof(quoin_host), QUOIN_ABI_MAJOR, QUOIN_ABI_MINOR,
                                     [](std::int32_t, const char*) {}, nullptr};
  try {
    json devices = json::array();
    if (candidate.kind == PluginKind::problem) {
      load_problem(candidate, system_opener());
      return {{"devices", devices}};
    }
    const std::shared_ptr<Plugin> plugin = load_plugin(candidate, system_opener(), silent);
    const auto wanted = choice.value("device", std::string());
    const std::vector<DeviceInfo> found = devices_of(*plugin, wanted);
    for (const DeviceInfo& device : found) devices.push_back(to_json(device));
    if (devices.empty()) return {{"kind", ErrorKind::device}, {"reason", "has no device"}};
    if (choice.contains("options"))
      executor_of(plugin, find_device(found, wanted, candidate.name), choice.at("options").get<OptionMap>());
    return {{"devices", devices}};
  } catch (const Error& e) {
    return {{"kind", e.kind()}, {"reason", e.what()}};
  } catch (const std::exception& e) {
    return {{"kind", ErrorKind::plugin}, {"reason", e.what()}};
  }
}

/// Starts quoin-probe on the plugin, in a process group of its own and with nothing open but the pipe.
pid_t start_probe(const std::filesystem::path& plugin, int answer_to, const std::string& choice) {
  const std::string program = (folder_of_library() / "quoin" / "quoin-probe").string();
  const std::string number = std::to_string(getpid());
  const char* arguments[] = {program.c_str(), plugin.c_str(), number.c_str(), choice.c_str(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&files, answer_to, probe_answer);
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  pid_t child = -1;
  const int status =
      posix_spawn(&child, program.c_str(), &files, &attributes, const_cast<char* const*>(arguments), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (status != 0)
    throw Error(ErrorKind::io,
                std::string("a plugin cannot be probed: ") + std::strerror(status) + "; is the installation whole?",
                program);
  return child;
}

/// Reads until the answer is whole, the pipe is closed, or the time is up (false).
bool read_answer(int from, Clock::time_point deadline, std::string& answer) {
  while (answer.empty() || answer.back() != end_of_answer) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wanted{from, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(std::clamp<long long>(left, 0, 1000)));
    if (ready <= 0 && left <= 0) return false;
    if (ready <= 0) continue;
    char block[4096];
    const ssize_t n = read(from, block, sizeof block);
    if (n == 0) return true;
    if (n > 0) answer.append(block, static_cast<std::size_t>(n));
    if (answer.size() > longest_answer) return true;
  }
  return true;
}

/// Waits until the deadline for the child to end by itself; false where it has not.
bool ended(pid_t child, Clock::time_point deadline, int& status) {
  for (;;) {
    const pid_t who = waitpid(child, &status, WNOHANG);
    if (who == child || (who < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline) return false;
    poll(nullptr, 0, 5);
  }
}

void judge(const std::string& answer, Probed& probed) {
  try {
    const json whole = json::parse(answer);
    if (whole.contains("reason")) {
      probed.kind = whole.at("kind").get<ErrorKind>();
      probed.reason = whole.at("reason").get<std::string>();
      return;
    }
    for (const json& device : whole.at("devices")) probed.devices.push_back(device_from(device));
  } catch (const json::exception& e) {
    probed.reason = std::string("describes its devices in a way that cannot be read: ") + e.what();
  }
}

}  // namespace

void answer_probe(const char* plugin, pid_t parent, const char* choice) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // A plugin that calls exit ends this process without an answer.
  std::atexit([] { _exit(1); });
  fcntl(probe_answer, F_SETFD, FD_CLOEXEC);

  const std::string answer =
      look(inspect_plugin(plugin), json::parse(choice)).dump(-1, ' ', true, json::error_handler_t::replace) +
      end_of_answer;
  for (std::size_t done = 0; done < answer.size();) {
    const ssize_t n = write(probe_answer, answer.data() + done, answer.size() - done);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  _exit(0);
}

Probing::Probing(Candidate candidate, double seconds, const BackendChoice* choice, bool with_executor)
    : candidate_(std::move(candidate)),
      seconds_(seconds),
      deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {
  if (!candidate_.refusal.empty()) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::io, std::string("a plugin cannot be probed: pipe: ") + std::strerror(errno),
                candidate_.file.string());
  from_.emplace(ends[0]);
  const Descriptor to(ends[1]);
  json wanted = json::object();
  if (choice != nullptr) {
    wanted["device"] = choice->device;
    if (with_executor) wanted["options"] = choice->options;
  }
  child_ = start_probe(candidate_.file, to.number(), wanted.dump(-1, ' ', true, json::error_handler_t::replace));
}

Probing::~Probing() {
  if (child_) end();
}

/// Of the child where it still runs, and of whatever it has started.
int Probing::end() {
  int status = 0;
  kill(-*child_, SIGKILL);
  while (waitpid(*child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_.reset();
  return status;
}

Probed Probing::answer() {
  Probed probed;
  probed.candidate = candidate_;
  if (!child_) {
    probed.reason = candidate_.refusal;
    return probed;
  }
  std::string answer;
  int status = 0;
  const bool in_time = read_answer(from_->number(), deadline_, answer);
  const bool whole = !answer.empty() && answer.back() == end_of_answer;
  const bool by_itself = in_time && !whole && ended(*child_, deadline_, status);
  if (by_itself) {
    kill(-*child_, SIGKILL);  // what it has started
    child_.reset();
  } else {
    status = end();
  }

  if (whole) {
    judge(answer, probed);
  } else if (!by_itself) {
    probed.reason = "did not return within " + json(seconds_).dump() + " s while probed";
  } else if (WIFSIGNALED(status)) {
    probed.reason =
        "crashed while probed: signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  } else {
    probed.reason = "ended the process that probed it";
  }
  return probed;
}

Probed probe_plugin(const Candidate& candidate, double seconds) { return Probing(candidate, seconds).answer(); }

}  // namespace quoin
