#include "output/file_system.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace quoin {
namespace {

class SystemFiles final : public FileSystem {
 public:
  int create(int folder, const char* name) override {
    constexpr mode_t mode = 0666;  // the user's umask decides
    return ::openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  }
  ssize_t write(int file, const void* bytes, std::size_t count) override { return ::write(file, bytes, count); }
  ssize_t write_at(int file, const void* bytes, std::size_t count, off_t offset) override {
    return ::pwrite(file, bytes, count, offset);
  }
  int sync(int file) override { return ::fsync(file); }
  int rename(int folder, const char* from, const char* to) override { return ::renameat(folder, from, folder, to); }
  int remove(int folder, const char* name) override { return ::unlinkat(folder, name, 0); }
  int close(int file) override { return ::close(file); }
};

}  // namespace

FileSystem& system_files() {
  static SystemFiles files;
  return files;
}

}  // namespace quoin
