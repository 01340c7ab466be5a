#pragma once

#include <string>

namespace quoin {

/// While it lives, this thread is in the code of a plugin: an exit of the process is that plugin's doing.
class InPlugin {
 public:
  /// Neither is copied. `entry` is what was called: a name of the function table.
  InPlugin(const std::string& where, const char* entry);
  InPlugin(const InPlugin&) = delete;
  InPlugin& operator=(const InPlugin&) = delete;
  ~InPlugin();

 private:
  friend struct ExitWatch;
  const std::string* where_;
  const char* entry_;
  const InPlugin* outer_;
};

/// From now on exits are watched in this process: before all that is registered with atexit so far.
void watch_exits();

}  // namespace quoin
