#pragma once

// What lies between an opened shared object and a backend that the framework uses.

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plugin/in_plugin.hpp"
#include "quoin/backends.hpp"
#include "quoin/error.hpp"
#include "quoin/plugin_abi.h"

namespace quoin {

/// A plugin that the loader accepted.
struct Plugin {
  Candidate candidate;
  quoin_table table{};            ///< null where an optional entry is absent
  std::atomic<int> executors{0};  ///< in use
};

/// Opens the candidate's object and gives it to `use` as its symbol of that name, which `macro` exports. A call of
/// exit() meanwhile is the plugin's. Throws ErrorKind::plugin naming the file.
void open_symbol(const Candidate& candidate, LibraryOpener& opener, const char* name, const char* macro,
                 const std::function<void(void* symbol)>& use);

/// Opens the plugin and examines its descriptor and table. Throws ErrorKind::plugin naming the file.
std::shared_ptr<Plugin> load_plugin(const Candidate& candidate, LibraryOpener& opener, const quoin_host& host);

/// Those that `wanted`, what a case says of the device, may mean; all where it says nothing.
std::vector<DeviceInfo> devices_of(const Plugin& plugin, const std::string& wanted);
std::shared_ptr<Executor> executor_of(std::shared_ptr<Plugin> plugin, int device,
                                      const std::map<std::string, std::string, std::less<>>& options);

/// Whether open_backend has opened it.
bool is_open(const Candidate& candidate);

/// Throws what a status other than 0 says.
[[noreturn]] void raise(int status, quoin_error& error, const std::string& where);

/// Calls an entry of the table with `arguments` and a place for its error. A status other than 0, or a throw that got
/// across, becomes a quoin::Error from `where`.
template <class... Parameters, class... Arguments>
void call(const std::string& where, const char* name, int (*entry)(Parameters...), Arguments... arguments) {
  quoin_error error;
  error.size = sizeof error;
  error.message[0] = '\0';
  error.where[0] = '\0';
  int status = 0;
  try {
    const InPlugin here(where, name);
    status = entry(arguments..., &error);
  } catch (...) {
    throw Error(ErrorKind::plugin, "the plugin threw across its C boundary: build it with QUOIN_BACKEND", where);
  }
  if (status != 0) [[unlikely]]
    raise(status, error, where);
}

/// Calls an entry that has nothing to say.
template <class... Parameters>
void leave(const std::string& where, const char* name, void (*entry)(Parameters...), Parameters... arguments) {
  const InPlugin here(where, name);
  entry(arguments...);
}

}  // namespace quoin
