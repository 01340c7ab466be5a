#include "conformance/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "quoin/error.hpp"

namespace quoin::conformance {
namespace {

using Clock = std::chrono::steady_clock;

void send_message(int to, const Message& message) {
  const std::string line = message.dump(-1, ' ', true, Message::error_handler_t::replace) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = write(to, line.data() + done, line.size() - done);
    if (n < 0 && errno != EINTR) _exit(static_cast<int>(ErrorKind::io));  // nobody listens
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void be_child(const std::function<void(const Send&)>& work, int to, pid_t parent) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  setpgid(0, 0);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  work([to](const Message& message) { send_message(to, message); });
  std::exit(0);
}

/// Gives the whole lines of `text` away. False where one is no message: the plugin has found the pipe.
bool take_lines(std::string& text, const std::function<void(const Message&)>& hear) {
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
    const Message message = Message::parse(text.substr(0, end), nullptr, /*allow_exceptions=*/false);
    if (!message.is_object()) return false;
    text.erase(0, end + 1);
    hear(message);
  }
  return true;
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return "crashed: signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return WEXITSTATUS(status) == 0 ? "" : "ended the process with code " + std::to_string(WEXITSTATUS(status));
}

/// Hears the child until it has ended. Another process that it has started may keep the pipe open.
std::string listen(int from, pid_t child, const std::function<void(const Message&)>& hear, double seconds) {
  constexpr int look_again = 10;  // milliseconds
  std::string text;
  Clock::time_point last = Clock::now();
  int status = 0;
  for (bool open = true, ended = false; open || !ended;) {
    pollfd wanted{open ? from : -1, POLLIN, 0};
    if (poll(&wanted, 1, ended ? 0 : look_again) > 0) {
      std::array<char, 4096> block{};
      const ssize_t n = read(from, block.data(), block.size());
      open = n > 0 || (n < 0 && errno == EINTR);
      if (n > 0) text.append(block.data(), static_cast<std::size_t>(n));
      if (!take_lines(text, hear)) return "wrote into the report of its checks";
      last = Clock::now();
    } else if (ended) {
      break;
    } else if (waitpid(child, &status, WNOHANG) == child) {
      ended = true;  // what it has said is still read
    } else if (seconds > 0.0 && std::chrono::duration<double>(Clock::now() - last).count() > seconds) {
      return "did not return within " + Message(seconds).dump() + " s";
    }
  }
  return ending(status);
}

}  // namespace

std::string in_child(const std::function<void(const Send&)>& work, const std::function<void(const Message&)>& hear,
                     double seconds) {
  std::array<int, 2> ends{};
  const auto fail = [](const char* what) {
    throw Error(ErrorKind::io, std::string("the checks cannot be run: ") + what + ": " + std::strerror(errno));
  };
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    close(ends[0]);
    be_child(work, ends[1], parent);
  }
  close(ends[1]);
  setpgid(child, child);  // whoever comes first
  std::string how = listen(ends[0], child, hear, seconds);
  kill(-child, SIGKILL);  // the child where it still runs, and whatever it has started
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  return how;
}

}  // namespace quoin::conformance
