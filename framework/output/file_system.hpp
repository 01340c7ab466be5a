#pragma once

#include <sys/types.h>

#include <cstddef>

namespace quoin {

/// The seam to the system calls that write results: same meaning, -1 and errno where one fails.
/// Names are relative to an open folder, so that nothing on the way to it can be exchanged meanwhile.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// Creates the file for writing; EEXIST where anything of that name is there, be it a symbolic link.
  virtual int create(int folder, const char* name) = 0;
  virtual ssize_t write(int file, const void* bytes, std::size_t count) = 0;
  virtual ssize_t write_at(int file, const void* bytes, std::size_t count, off_t offset) = 0;
  virtual int sync(int file) = 0;
  virtual int rename(int folder, const char* from, const char* to) = 0;
  virtual int remove(int folder, const char* name) = 0;
  virtual int close(int file) = 0;
};

FileSystem& system_files();

}  // namespace quoin
