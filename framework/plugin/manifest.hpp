#pragma once

// A plugin's manifest, read from the shared object without opening it.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/backends.hpp"
#include "quoin/case.hpp"

namespace quoin {

struct Manifest {
  PluginKind kind = PluginKind::backend;
  std::string name;
  std::string version;
  std::string toolchain;
  Hashes kernels;         ///< the families that it was compiled from
  std::string interface;  ///< of a problem: the hash of the headers that it was compiled from
  int abi_major = 0;
  int abi_minor = 0;
  std::vector<Key> keys;  ///< bare names, `backend` set
};

/// The JSON text in the manifest section. Throws ErrorKind::plugin where `file` is no ELF file or has no such section.
std::string manifest_text(const std::filesystem::path& file);

/// The libraries that the dynamic linker opens with it, by name.
std::vector<std::string> needed_libraries(const std::filesystem::path& file);

/// Where it wants them to be looked for (RPATH and RUNPATH): folders with colons in between.
std::vector<std::string> own_search_paths(const std::filesystem::path& file);

/// Throws ErrorKind::plugin with what is wrong in the text. Of a manifest of another ABI major only the name, the
/// version, the toolchain and the ABI are read.
Manifest parse_manifest(std::string_view text);

}  // namespace quoin
