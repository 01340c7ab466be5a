#pragma once

// A plugin that calls exit() would end the program with a code of its own and without a result.

#include <functional>

#include "quoin/error.hpp"

namespace quoin {

/// While one lives, or a plugin is being called, exit() and quick_exit() end the process with the code of
/// ErrorKind::plugin and the reason in the log; so does _exit() in a call of a plugin. `tell` gets that reason before,
/// to store it where results are looked for; the newest is called first. It may be called from any thread and must not
/// call a plugin.
class WhenPluginExits {
 public:
  using Tell = std::function<void(const Error& reason)>;
  explicit WhenPluginExits(Tell tell);
  WhenPluginExits(const WhenPluginExits&) = delete;
  WhenPluginExits& operator=(const WhenPluginExits&) = delete;
  ~WhenPluginExits();

 private:
  friend struct ExitWatch;
  void hear(const Error& reason) const noexcept;
  Tell tell_;
};

}  // namespace quoin
