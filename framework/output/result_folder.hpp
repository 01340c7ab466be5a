#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "output/file_system.hpp"

namespace quoin {

/// A file that grows during the run. Every write is checked; errors are ErrorKind::io with the path and the reason.
class GrowingFile {
 public:
  /// Creates `name` in the open folder; messages name `path`.
  GrowingFile(FileSystem& files, int folder, std::filesystem::path path, const std::string& name);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile();

  /// All of `bytes`, through short writes and interruptions by signals. `after`: how many more are to follow, for the
  /// message that says what is missing.
  void write(std::string_view bytes, std::size_t after = 0);
  /// The same at an offset, which may lie anywhere. Not to be mixed with write().
  void write_at(std::uint64_t offset, std::string_view bytes);
  /// Brings the file to the disk.
  void sync();
  /// The same, and closes it.
  void close();

 private:
  FileSystem* files_;
  std::filesystem::path path_;
  int file_ = -1;
};

/// Takes the next bytes of a file.
using PutBytes = std::function<void(std::string_view bytes)>;

/// Puts bytes at an offset of a file, over what was put there before.
using PutAt = std::function<void(std::uint64_t offset, std::string_view bytes)>;
/// Puts them into `bytes`, which grow.
[[nodiscard]] PutAt into(std::string& bytes);

/// Writes a file of the open folder at `path`. It becomes visible only whole: a temporary file in the same folder,
/// brought to the disk, renamed. ErrorKind::io.
void write_whole_file(FileSystem& files, int folder, const std::filesystem::path& path, const std::string& name,
                      std::initializer_list<std::string_view> parts);
/// The same with the `total` bytes that give(put) puts, one after another.
void write_whole_file(FileSystem& files, int folder, const std::filesystem::path& path, const std::string& name,
                      std::size_t total, const std::function<void(const PutBytes& put)>& give);

/// The same in a folder that another process of the run has open: `file` is its path.
void write_whole_file(const std::filesystem::path& file, std::size_t total,
                      const std::function<void(const PutBytes& put)>& give);

/// The folder of one run. While it is open, no other run can use it. Symbolic links are never followed:
/// neither the folder itself nor anything in it may be one. What is written is listed in files.txt before, and nothing
/// that is not listed there is replaced or removed.
class ResultFolder {
 public:
  /// Refuses what the constructor would refuse, touching nothing. ErrorKind::usage for a folder that holds
  /// something when `force` is off, else ErrorKind::io. `names`: of what will be written, as far as it is known (fields
  /// and tables without step and ending); files of such names that no earlier run here wrote are refused.
  static void check(const std::filesystem::path& path, bool force, std::span<const std::string> names = {});

  /// Creates the folder where it is not there. With `force` what an earlier run wrote is removed.
  ResultFolder(const std::filesystem::path& path, bool force, FileSystem& files = system_files());
  /// The folder of a run that goes on: what it holds stays until it is written anew.
  static ResultFolder of_earlier_run(const std::filesystem::path& path, FileSystem& files = system_files());
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  ~ResultFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Lists files that are to be written. ErrorKind::io where one is there that is not listed.
  void claim(std::span<const std::string> names);
  /// Whether the file is one that this run or an earlier one wrote here, or is to write.
  [[nodiscard]] bool owns(const std::string& name) const { return written_.contains(name); }
  /// The file need not be there, and stays where it is not listed.
  void remove(const std::string& name);
  /// As write_whole_file.
  void write_whole(const std::string& name, std::initializer_list<std::string_view> parts);
  void write_whole(const std::string& name, std::size_t total, const std::function<void(const PutBytes& put)>& give);
  /// The same with what give(put) puts in any order, and however much it is.
  void write_whole(const std::string& name, const std::function<void(const PutAt& put)>& give);
  /// Starts the file anew.
  [[nodiscard]] GrowingFile grow(const std::string& name);

 private:
  ResultFolder(const std::filesystem::path& path, FileSystem& files);
  void remove_earlier_results();
  void start_list();

  FileSystem& files_;
  std::filesystem::path path_;
  int folder_ = -1;
  std::set<std::string> written_;
  std::optional<GrowingFile> list_;  // of what is written
};

}  // namespace quoin
