#include "report/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "quoin/error.hpp"
#include "report/theme.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

constexpr auto longest_wait = std::chrono::seconds(60);  // a chart takes a twentieth of a second

std::string style() {
  return fmt::format(
      "set encoding utf8\nset border 3 lc rgb '{0}' lw 1\nset tics nomirror out scale 0.6 textcolor rgb '{1}'\n"
      "set grid lc rgb '{2}' lw 1 dt 1\nset key noenhanced textcolor rgb '{1}'\n",
      theme::frame.light, theme::ink.light, theme::grid.light);
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream << bytes;
  stream.close();
  if (!stream) throw Error(ErrorKind::io, "cannot write what gnuplot is to draw", file.string());
}

fs::path make_folder() {
  std::error_code code;
  std::string name = (fs::temp_directory_path(code) / "quoin-report-XXXXXX").string();
  if (code || ::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::io, std::string("cannot make a temporary folder: ") + std::strerror(errno), name);
  return name;
}

/// Starts `gnuplot -d chart.gp` there, which reads no settings of the user's; 0 or the reason why it cannot.
int spawn(const fs::path& folder, pid_t& child) {
  const char* arguments[] = {"gnuplot", "-d", "chart.gp", nullptr};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO})
    posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "said.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  // In a group of its own, so that Ctrl-C at `quoin report --watch` does not spoil the last page.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int status = posix_spawnp(&child, "gnuplot", &files, &attributes, const_cast<char* const*>(arguments), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return status;
}

/// The status of the child's end; empty where it took too long and was ended.
std::optional<int> wait_for(pid_t child) {
  const auto deadline = std::chrono::steady_clock::now() + longest_wait;
  int status = 0;
  for (int pause = 1; ::waitpid(child, &status, WNOHANG) != child; pause = std::min(2 * pause, 20)) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(-child, SIGKILL);
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return std::nullopt;
    }
    ::poll(nullptr, 0, pause);
  }
  return status;
}

}  // namespace

std::string quoted(const std::string& text, std::size_t longest) {
  std::string result = "'";
  std::size_t characters = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins = (byte & 0xC0U) != 0x80U;  // not the rest of a character of several bytes
    if (begins && characters++ == longest) {
      result += "…";
      break;
    }
    result += byte < 0x20U || byte == 0x7FU ? ' ' : c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

Gnuplot::~Gnuplot() {
  std::error_code code;
  if (!folder_.empty()) fs::remove_all(folder_, code);
}

bool Gnuplot::start(const Chart& chart) {
  if (folder_.empty()) folder_ = make_folder();
  const std::string head = fmt::format(
      "set terminal svg size {},{} font 'sans-serif,14' enhanced\n"
      "set output 'chart.svg'\n",
      chart.width, chart.height);
  write(folder_ / "chart.gp", head + style() + chart.script + "unset output\n");
  write(folder_ / "image.raw", {reinterpret_cast<const char*>(chart.image.data()), chart.image.size() * sizeof(float)});
  fs::remove(folder_ / "chart.svg");
  pid_t child = -1;
  if (const int reason = spawn(folder_, child); reason != 0) {
    absent_ = true;
    fault_ = std::string("gnuplot cannot be started: ") + std::strerror(reason);
    return false;
  }
  const std::optional<int> status = wait_for(child);
  if (status && WIFEXITED(*status) && WEXITSTATUS(*status) == 127) {  // some systems notice after the fork
    absent_ = true;
    fault_ = "gnuplot cannot be started";
  } else if (!status || !WIFEXITED(*status) || WEXITSTATUS(*status) != 0) {
    constexpr std::size_t enough = 400;
    fault_ = !status ? "gnuplot took too long" : "gnuplot failed: " + text_of(folder_ / "said.txt").substr(0, enough);
  }
  return fault_.empty();
}

std::optional<std::string> Gnuplot::draw(const Chart& chart) {
  if (absent_) return std::nullopt;
  fault_.clear();
  try {
    if (!start(chart)) return std::nullopt;
  } catch (const std::exception& error) {
    fault_ = error.what();
    return std::nullopt;
  }
  const std::string svg = text_of(folder_ / "chart.svg");
  if (!svg.ends_with("</svg>\n") && !svg.ends_with("</svg>\n\n")) fault_ = "gnuplot drew nothing";
  return fault_.empty() ? std::optional(themed(svg)) : std::nullopt;
}

}  // namespace quoin
