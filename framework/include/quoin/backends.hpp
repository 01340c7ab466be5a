#pragma once

// Finding, judging, opening and choosing backend plugins.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "quoin/case.hpp"
#include "quoin/error.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// The seam to dlopen. Objects are never closed: a closed and reopened OpenMP runtime silently loses its devices.
class LibraryOpener {
 public:
  virtual ~LibraryOpener() = default;
  /// Opens by absolute path with RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE; null on failure.
  virtual void* open(const std::filesystem::path& file) = 0;
  virtual void* symbol(void* library, const char* name) = 0;
  /// The reason of the last failure.
  virtual std::string error() = 0;
};
LibraryOpener& system_opener();

enum class PluginKind { backend, problem, communicator };

/// Families of kernels by name, each with the hash of what decides their bits.
using Hashes = std::map<std::string, std::string, std::less<>>;

/// A shared object in a plugin folder, judged by its manifest alone: nothing was opened.
struct Candidate {
  std::filesystem::path file;
  PluginKind kind = PluginKind::backend;
  std::string name;  ///< from the manifest; from the file name where that cannot be read
  std::string version;
  std::string toolchain;
  std::vector<Key> keys;  ///< its own keys of the case file's backend section, bare names
  Hashes kernels;         ///< the families that it was compiled from
  std::string refusal;    ///< empty where it may be opened
};

/// The folders that are searched, first wins: `given`, QUOIN_PLUGIN_PATH (ignored in a set-uid process),
/// then quoin/plugins beside the library that holds this code. Never the working directory.
std::vector<std::filesystem::path> plugin_folders(const std::vector<std::filesystem::path>& given);

/// Every `*.so` of the folders with its manifest or the reason of its refusal, in order of preference.
std::vector<Candidate> find_plugins(const std::vector<std::filesystem::path>& folders);

/// Judges one file, as `quoin conformance FILE` needs.
Candidate inspect_plugin(const std::filesystem::path& file);

/// An opened plugin.
class OpenBackend {
 public:
  virtual ~OpenBackend() = default;
  [[nodiscard]] virtual const Candidate& candidate() const = 0;
  /// Those that `wanted`, what a case says of the device, may mean; all where it says nothing.
  [[nodiscard]] virtual std::vector<DeviceInfo> devices(const std::string& wanted) = 0;
  /// `device` counts in the order that devices() gave last.
  [[nodiscard]] virtual std::shared_ptr<Executor> executor(int device, const OptionMap& options) = 0;
};

/// Opens a candidate once a process; throws ErrorKind::plugin with the file and the reason.
std::shared_ptr<OpenBackend> open_backend(const Candidate& candidate, LibraryOpener& opener = system_opener());

/// Calls the shutdown entry of every opened plugin, last opened first. Executors must be gone: a plugin of which one
/// is left is not shut down, and the log says so. An OpenBackend is not used afterwards.
void shutdown_backends();

/// What a child process saw: devices, or the reason that there are none.
struct Probed {
  Candidate candidate;
  std::vector<DeviceInfo> devices;
  std::string reason;                  ///< empty where there is at least one device
  ErrorKind kind = ErrorKind::plugin;  ///< of the reason: plugin, or device where no device can be used
};

/// Opens the candidate in a child process that is ended after `seconds`. A crash, a hang or an early exit is a reason;
/// what the plugin prints is dropped.
Probed probe_plugin(const Candidate& candidate, double seconds = 20.0);

/// The candidate that serves `name`. Throws ErrorKind::plugin with its refusal or, for an unknown name, with the
/// known ones and the folders that were searched.
const Candidate& find_backend(const std::string& name, const std::vector<Candidate>& candidates);

/// The index of the device that `wanted` names: a number, or a part of the name in any case of letters.
/// Throws ErrorKind::device listing the devices where there is none.
int find_device(const std::vector<DeviceInfo>& devices, const std::string& wanted, const std::string& backend);
/// The same for one of several ranks. Where the case names a device or leaves it at 0, they take turns at those whose
/// names differ from that one's by a number at most; another index is one device.
int find_device(const std::vector<DeviceInfo>& devices, const BackendChoice& choice);

struct Chosen {
  std::shared_ptr<Executor> executor;
  std::shared_ptr<OpenBackend> backend;
  int device = 0;
  OptionMap tuned;                         ///< values of keys that the case leaves open
  MemoryKind memory = MemoryKind::device;  ///< of the executor's arrays
};

/// Values for keys that `choice` leaves open, on that device.
using Tuned = std::function<OptionMap(const BackendChoice& choice, const Candidate&, const DeviceInfo&)>;

/// Throws where what has been chosen does not suit.
using Suits = std::function<void(const Chosen&)>;

/// The first usable entry of an ordered list. One entry is strict: its error is thrown. With several,
/// each refusal is logged with its reason and the next is tried; the last error is thrown when none is usable.
/// Each plugin is probed before it is opened, so that one that crashes does not take the program with it; where there
/// is another one to try, an executor is made there, too.
Chosen choose_backend(const std::vector<BackendChoice>& wanted, const std::vector<Candidate>& candidates,
                      LibraryOpener& opener = system_opener(), const Tuned& tuned = {}, const Suits& suits = {});

class Probing;

/// The same in two steps: the first entry is probed beside what the caller does between them.
class BackendChoosing {
 public:
  BackendChoosing(std::vector<BackendChoice> wanted, std::vector<Candidate> candidates,
                  LibraryOpener& opener = system_opener(), Tuned tuned = {});
  ~BackendChoosing();
  /// To be called once.
  Chosen choose(const Suits& suits = {});

 private:
  [[nodiscard]] bool is_last(std::size_t number) const { return number + 1 == wanted_.size(); }
  [[nodiscard]] bool probes(const Candidate& candidate, std::size_t number) const;
  [[nodiscard]] std::unique_ptr<Probing> probing(const Candidate& candidate, std::size_t number) const;
  Chosen use(std::size_t number, const Suits& suits);

  std::vector<BackendChoice> wanted_;
  std::vector<Candidate> candidates_;
  LibraryOpener& opener_;
  Tuned tuned_;
  std::unique_ptr<Probing> first_;
};

}  // namespace quoin
