// Takes notice of a plugin that ends the process.

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "plugin/in_plugin.hpp"
#include "quoin/log.hpp"
#include "quoin/plugin_exit.hpp"
#include "quoin/words.hpp"

namespace quoin {

struct ExitWatch {
  static thread_local const InPlugin* innermost;

  std::mutex mutex;
  std::vector<WhenPluginExits*> listeners;
  pid_t process = 0;

  // Never destroyed: it is for the end of the process.
  static ExitWatch& instance() {
    static ExitWatch& watch = *new ExitWatch;
    return watch;
  }

  [[nodiscard]] static Error reason() {
    const InPlugin* const call = innermost;
    if (call == nullptr) return {ErrorKind::plugin, "a thread of a plugin, or of a library, has called exit()"};
    return {ErrorKind::plugin, "the plugin called exit() in '" + std::string(call->entry_) + "'", *call->where_};
  }

  static void at_exit() {
    ExitWatch& watch = instance();
    if (getpid() != watch.process) return;  // a child that a plugin has forked
    const std::unique_lock lock(watch.mutex, std::try_to_lock);
    const bool heard = lock.owns_lock() && !watch.listeners.empty();
    if (innermost == nullptr && !heard) return;
    const Error error = reason();
    log().error("{}{}", error.where().empty() ? "" : printable(error.where(), true) + ": ", error.what());
    if (heard) std::for_each(watch.listeners.rbegin(), watch.listeners.rend(), [&](auto* one) { one->hear(error); });
    log().flush();
    end(error.exit_code());
  }

  [[noreturn]] static void end(int code) {
    for (;;) syscall(SYS_exit_group, code);
  }
};

thread_local const InPlugin* ExitWatch::innermost = nullptr;

void WhenPluginExits::hear(const Error& reason) const noexcept {
  try {
    tell_(reason);
  } catch (const std::exception& e) {
    log().error("{}", e.what());
  }
}

InPlugin::InPlugin(const std::string& where, const char* entry)
    : where_(&where), entry_(entry), outer_(ExitWatch::innermost) {
  ExitWatch::innermost = this;
}
InPlugin::~InPlugin() { ExitWatch::innermost = outer_; }

void watch_exits() {
  ExitWatch::instance().process = getpid();
  std::atexit(ExitWatch::at_exit);
  std::at_quick_exit(ExitWatch::at_exit);
}

WhenPluginExits::WhenPluginExits(Tell tell) : tell_(std::move(tell)) {
  watch_exits();
  ExitWatch& watch = ExitWatch::instance();
  const std::lock_guard lock(watch.mutex);
  watch.listeners.push_back(this);
}

WhenPluginExits::~WhenPluginExits() {
  ExitWatch& watch = ExitWatch::instance();
  const std::lock_guard lock(watch.mutex);
  std::erase(watch.listeners, this);
}

}  // namespace quoin

// Plugins find this one before that of the C library, which would tell nobody.
extern "C" void _exit(int code) {  // NOLINT(bugprone-reserved-identifier)
  if (quoin::ExitWatch::innermost != nullptr) quoin::ExitWatch::at_exit();
  quoin::ExitWatch::end(code);
}
extern "C" void _Exit(int code) { _exit(code); }  // NOLINT(bugprone-reserved-identifier)
