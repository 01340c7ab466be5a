#include "quoin/log.hpp"

#include <fcntl.h>
#include <spdlog/details/os.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "quoin/error.hpp"
#include "quoin/files.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

/// A log file that is never reached through a symbolic link. Each line is written at once, so that the log of a
/// run that was killed is complete.
class FileSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  FileSink(const std::filesystem::path& file, bool append) : file_(open_log(file, append)) {
    if (file_ < 0) {
      throw Error(ErrorKind::io,
                  errno == ELOOP ? "the log file is a symbolic link, which is not followed: remove it"
                                 : std::string("the log file cannot be opened: ") + std::strerror(errno),
                  file.string());
    }
    set_pattern("%Y-%m-%dT%H:%M:%S.%e %l: %v");
  }
  ~FileSink() override { ::close(file_); }

 private:
  /// A pipe that nobody reads is an error at once.
  static int open_log(const std::filesystem::path& file, bool append) {
    require_file(file);
    const int how = O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    return ::open(file.c_str(), how, 0644);
  }
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t n = ::write(file_, line.data() + done, line.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) spdlog::throw_spdlog_ex("writing the log file", errno);  // spdlog reports it on standard error
      done += static_cast<std::size_t>(n);
    }
  }
  void flush_() override {}

  int file_;
};

/// Standard error. A warning stands there once, though each run of a study or each look at the plugins has it.
class Terminal : public spdlog::sinks::stderr_color_sink_mt {
 public:
  using spdlog::sinks::stderr_color_sink_mt::stderr_color_sink_mt;
  void log(const spdlog::details::log_msg& message) override {
    if (message.level == spdlog::level::warn && !is_new(std::string(message.payload.data(), message.payload.size())))
      return;
    spdlog::sinks::stderr_color_sink_mt::log(message);
  }

 private:
  bool is_new(std::string warning) {
    const std::lock_guard lock(guard_);
    return seen_.insert(std::move(warning)).second;
  }

  std::mutex guard_;
  std::set<std::string> seen_;
};

constexpr const char* terminal_pattern = "%^%l%$: %v";

/// Whoever wrote a message, a terminal and a reader of the file may be given it.
class PrintableLogger : public spdlog::logger {
 public:
  using spdlog::logger::logger;

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg safe = message;
    safe.payload = text;
    spdlog::logger::sink_it_(safe);
  }
};

struct Log {
  std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> terminal;
  std::shared_ptr<spdlog::sinks::dist_sink_mt> files = std::make_shared<spdlog::sinks::dist_sink_mt>();
  PrintableLogger logger;

  Log() : terminal(make_terminal()), logger("quoin", {terminal, files}) { logger.set_level(spdlog::level::debug); }

  static std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> make_terminal() {
    auto sink = std::make_shared<Terminal>(coloured_errors() ? spdlog::color_mode::always : spdlog::color_mode::never);
    sink->set_pattern(terminal_pattern);
    sink->set_level(spdlog::level::info);
    return sink;
  }
};

// Never destroyed: backends and static destructors may log until the process is gone.
Log& the_log() {
  static Log& instance = *new Log;
  return instance;
}

}  // namespace

bool coloured_errors() {
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org: set and not empty
  const bool wanted = no_color == nullptr || *no_color == '\0';
  return wanted && spdlog::details::os::in_terminal(stderr) && spdlog::details::os::is_color_terminal();
}

spdlog::logger& log() { return the_log().logger; }

void log_level(spdlog::level::level_enum least) { the_log().terminal->set_level(least); }

void log_over_bar(bool bar) {
  the_log().terminal->set_pattern((bar ? "\r\x1b[K" : "") + std::string(terminal_pattern));
}

void log_to(const std::filesystem::path& file, bool append) {
  std::vector<spdlog::sink_ptr> sinks;
  if (!file.empty()) sinks.push_back(std::make_shared<FileSink>(file, append));
  the_log().files->set_sinks(std::move(sinks));
}

}  // namespace quoin
