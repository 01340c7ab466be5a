#include <dlfcn.h>

#include "quoin/backends.hpp"

namespace quoin {
namespace {

class SystemOpener final : public LibraryOpener {
 public:
  void* open(const std::filesystem::path& file) override {
    // A name without a slash would be searched for in LD_LIBRARY_PATH.
    if (!file.is_absolute()) {
      reason_ = "not an absolute path";
      return nullptr;
    }
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) keep_reason();
    return library;
  }
  void* symbol(void* library, const char* name) override {
    void* address = dlsym(library, name);
    if (address == nullptr) keep_reason();
    return address;
  }
  std::string error() override { return reason_; }

 private:
  void keep_reason() {
    const char* reason = dlerror();
    reason_ = reason == nullptr ? "no reason given" : reason;
  }
  std::string reason_;
};

}  // namespace

LibraryOpener& system_opener() {
  thread_local SystemOpener opener;  // as dlerror: one reason a thread
  return opener;
}

}  // namespace quoin
