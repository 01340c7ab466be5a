// Where plugins are looked for, and which files may be trusted.

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <system_error>
#include <utility>

#include "base/library_folder.hpp"
#include "plugin/known_kernels.hpp"
#include "plugin/manifest.hpp"
#include "plugin/problems.hpp"
#include "quoin/backends.hpp"
#include "quoin/communicators.hpp"
#include "quoin/error.hpp"
#include "quoin/interface_hash.h"
#include "quoin/log.hpp"
#include "quoin/plugin_abi.h"

namespace quoin {
namespace {

namespace fs = std::filesystem;

/// A folder that is not looked at for lack of memory is not an absent one.
void require_memory(const std::error_code& error) {
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
}

/// Why others could exchange what lies at `path`, a real path; empty where they cannot.
std::string writable_by_others(const fs::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return "cannot be examined";
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return "may be written by others ('" + path.string() + "'): run chmod go-w on it, or move the plugin";
}

/// The same for the folders above: there a sticky one, such as /tmp, is safe.
std::string exchangeable_above(fs::path folder) {
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0) return "lies below a folder that cannot be examined";
    if ((info.st_mode & S_IWOTH) != 0 && (info.st_mode & S_ISVTX) == 0)
      return "lies below a folder that others may write ('" + folder.string() + "'): move the plugin";
  }
  return {};
}

/// Judges every folder on the way from `file` along its links to `real`, and the real file.
std::string untrusted(const fs::path& file, const fs::path& real) {
  for (fs::path hop = fs::absolute(file);; hop = hop.parent_path() / fs::read_symlink(hop)) {
    const fs::path folder = fs::canonical(hop.parent_path());
    std::string why = writable_by_others(folder);
    if (why.empty()) why = exchangeable_above(folder);
    if (!why.empty()) return why;
    if (!fs::is_symlink(hop)) break;
  }
  return writable_by_others(real);
}

/// The entries of a search path such as `a:b`; none where it is empty.
std::vector<fs::path> entries_of(const std::string& path) {
  std::vector<fs::path> entries;
  if (path.empty()) return entries;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    entries.emplace_back(path.substr(start, end - start));
    start = end + 1;
  }
  return entries;
}

/// Why the dynamic linker would take a library that the plugin needs from the working directory: an empty or relative
/// entry of a search path means that. Empty where it would not.
std::string planted_library(const fs::path& plugin) {
  const char* environment = std::getenv("LD_LIBRARY_PATH");
  std::vector<std::pair<std::string, std::string>> paths{
      {"LD_LIBRARY_PATH", environment == nullptr ? "" : environment}};
  for (const std::string& path : own_search_paths(plugin)) paths.emplace_back("its RUNPATH", path);
  for (const auto& [name, path] : paths) {
    for (const fs::path& entry : entries_of(path)) {
      if (entry.is_absolute() || entry.string().starts_with('$')) continue;  // $ORIGIN is the plugin's own folder
      for (const std::string& library : needed_libraries(plugin)) {
        const fs::path planted = fs::current_path() / entry / library;
        if (fs::exists(planted)) {
          return "needs " + library + ", and " + name + " would take '" + planted.string() +
                 "': remove the empty or relative entry from " + name;
        }
      }
    }
  }
  return {};
}

/// Those that are known with another hash.
std::vector<std::string> other_families(const Hashes& kernels) {
  std::vector<std::string> others;
  for (const auto& [family, hash] : kernels) {
    const auto known = known_families().find(family);
    if (known != known_families().end() && known->second != hash) others.push_back(family);
  }
  return others;
}

/// What a file that is refused would be; a backend where that cannot be told.
PluginKind kind_of(const fs::path& file) {
  try {
    return parse_manifest(manifest_text(file)).kind;
  } catch (const Error&) {
    return PluginKind::backend;
  }
}

void judge(Candidate& candidate) {
  std::error_code error;
  const fs::path real = fs::canonical(candidate.file, error);
  require_memory(error);
  if (error) throw Error(ErrorKind::plugin, "cannot be found: " + error.message());
  if (!fs::is_regular_file(real, error)) throw Error(ErrorKind::plugin, "is not a regular file");
  const std::string why = untrusted(candidate.file, real);
  candidate.file = real;
  if (!why.empty()) {
    candidate.kind = kind_of(real);
    throw Error(ErrorKind::plugin, why);
  }

  Manifest manifest = parse_manifest(manifest_text(real));
  candidate.name = manifest.name;
  candidate.version = manifest.version;
  candidate.toolchain = manifest.toolchain;
  candidate.kind = manifest.kind;
  if (manifest.abi_major != QUOIN_ABI_MAJOR) {
    throw Error(ErrorKind::plugin, "was built for version " + std::to_string(manifest.abi_major) +
                                       " of the plugin boundary, this is version " + std::to_string(QUOIN_ABI_MAJOR) +
                                       ": rebuild it against this Quoin");
  }
  candidate.kernels = std::move(manifest.kernels);
  const bool is_problem = candidate.kind == PluginKind::problem;
  if (is_problem && manifest.interface != QUOIN_INTERFACE_HASH)
    throw Error(ErrorKind::plugin, "was built from other headers than this Quoin: rebuild it against this one");
  const std::vector<std::string> others = other_families(candidate.kernels);
  const bool usable = candidate.kind == PluginKind::backend ? others.size() < candidate.kernels.size() : others.empty();
  if (!usable)
    throw Error(ErrorKind::plugin, "was built from other kernel bodies than this Quoin: rebuild it against this one");
  if (const std::string planted = planted_library(real); !planted.empty()) throw Error(ErrorKind::plugin, planted);
  candidate.keys = std::move(manifest.keys);
}

/// The folders of QUOIN_PLUGIN_PATH. An empty or relative entry would mean the working directory, where anyone may
/// have left a plugin.
std::vector<fs::path> folders_of_environment() {
  const char* given = std::getenv("QUOIN_PLUGIN_PATH");
  if (given == nullptr || *given == '\0') return {};
  if (secure_getenv("QUOIN_PLUGIN_PATH") == nullptr) {
    log().warn("QUOIN_PLUGIN_PATH is ignored: this program runs with more rights than its user");
    return {};
  }
  std::vector<fs::path> folders;
  for (const fs::path& folder : entries_of(given)) {
    if (folder.is_absolute()) {
      folders.push_back(folder);
    } else if (folder.empty()) {
      log().warn("QUOIN_PLUGIN_PATH: an empty entry is ignored: it would mean the working directory");
    } else {
      log().warn("QUOIN_PLUGIN_PATH: the entry '{}' is ignored: it is not an absolute path", folder.string());
    }
  }
  return folders;
}

}  // namespace

std::vector<fs::path> plugin_folders(const std::vector<fs::path>& given) {
  std::vector<fs::path> folders;
  const auto add = [&folders](const fs::path& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    require_memory(error);
    if (error) {
      log().warn("the plugin folder '{}' is ignored: {}", folder.string(), error.message());
    } else if (std::find(folders.begin(), folders.end(), real) == folders.end()) {
      folders.push_back(real);
    }
  };
  for (const fs::path& folder : given) {
    if (folder.empty()) {
      log().warn("an empty plugin folder is ignored: it would mean the working directory");
    } else {
      add(folder);
    }
  }
  for (const fs::path& folder : folders_of_environment()) add(folder);
  if (const fs::path own = folder_of_library() / "quoin" / "plugins"; fs::exists(own)) add(own);
  return folders;
}

Candidate inspect_plugin(const fs::path& file) {
  Candidate candidate;
  candidate.file = file;
  candidate.name = file.stem().string();
  try {
    judge(candidate);
  } catch (const Error& e) {
    candidate.refusal = e.what();
  } catch (const fs::filesystem_error& e) {
    candidate.refusal = std::string("cannot be examined: ") + e.what();
  }
  return candidate;
}

namespace {

/// Every `*.so` of a folder, by name.
std::vector<fs::path> objects_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".so") files.push_back(entry->path());
  }
  require_memory(error);
  if (error) log().warn("the plugin folder '{}' cannot be read: {}", folder.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

bool offers_all_of(const Candidate& one, const Candidate& other) {
  return std::ranges::includes(one.kernels, other.kernels);
}

/// Those of one kind. An object that is called as its plugin goes before others, which have the kernels of some
/// problem. A later object of a name is refused where an earlier one offers all that it does.
std::vector<Candidate> find(const std::vector<fs::path>& folders, PluginKind kind) {
  std::vector<Candidate> candidates;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : objects_of(folder)) {
      Candidate candidate = inspect_plugin(file);
      if (candidate.kind == kind) candidates.push_back(std::move(candidate));
    }
  }
  std::stable_partition(candidates.begin(), candidates.end(),
                        [](const Candidate& one) { return one.file.stem() == one.name; });
  for (auto later = candidates.begin(); later != candidates.end(); ++later) {
    const auto shadow = std::find_if(candidates.begin(), later, [&](const Candidate& one) {
      return one.refusal.empty() && one.name == later->name && offers_all_of(one, *later);
    });
    if (later->refusal.empty() && shadow != later) later->refusal = "is shadowed by '" + shadow->file.string() + "'";
  }
  return candidates;
}

}  // namespace

std::vector<Candidate> find_plugins(const std::vector<fs::path>& folders) { return find(folders, PluginKind::backend); }

std::vector<Candidate> find_problems(const std::vector<fs::path>& folders) {
  return find(folders, PluginKind::problem);
}

std::vector<Candidate> find_communicators(const std::vector<fs::path>& folders) {
  return find(folders, PluginKind::communicator);
}

}  // namespace quoin
