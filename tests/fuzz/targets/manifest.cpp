// Any bytes as a plugin's file, where they begin as ELF does, or else as the text of its manifest.

#include "plugin/manifest.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "quoin/error.hpp"

namespace {

std::string text_of(std::string_view bytes) {
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return std::string(bytes);
  static const int file = memfd_create("plugin", MFD_CLOEXEC);
  if (ftruncate(file, 0) != 0 || pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  quoin::needed_libraries(path);
  quoin::own_search_paths(path);
  return quoin::manifest_text(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    quoin::parse_manifest(text_of({reinterpret_cast<const char*>(data), size}));
  } catch (const quoin::Error& error) {
    if (error.kind() != quoin::ErrorKind::plugin) std::abort();
  }
  return 0;
}
