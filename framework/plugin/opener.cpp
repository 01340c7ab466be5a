#include <dlfcn.h>

#include <array>
#include <cstdio>

#include "quoin/backends.hpp"

namespace quoin {
namespace {

// As dlerror: one reason a thread. Without a destructor, for which the C library ends the process where it has no
// memory to remember it.
thread_local std::array<char, 1024> last_reason{};

class SystemOpener final : public LibraryOpener {
 public:
  void* open(const std::filesystem::path& file) override {
    // A name without a slash would be searched for in LD_LIBRARY_PATH.
    if (!file.is_absolute()) {
      keep("not an absolute path");
      return nullptr;
    }
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) keep(dlerror());
    return library;
  }
  void* symbol(void* library, const char* name) override {
    void* address = dlsym(library, name);
    if (address == nullptr) keep(dlerror());
    return address;
  }
  std::string error() override { return last_reason.data(); }

 private:
  static void keep(const char* reason) {
    std::snprintf(last_reason.data(), last_reason.size(), "%s", reason == nullptr ? "no reason given" : reason);
  }
};

}  // namespace

LibraryOpener& system_opener() {
  static SystemOpener opener;
  return opener;
}

}  // namespace quoin
