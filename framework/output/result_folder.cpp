#include "output/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "output/names.hpp"
#include "output/place.hpp"
#include "output/written_files.hpp"
#include "quoin/error.hpp"
#include "quoin/files.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

[[noreturn]] void fail(const std::string& what, const fs::path& path, int code) {
  throw Error(ErrorKind::io, what + ": " + std::strerror(code), path.string());
}

/// Without a trailing slash, which would make the system follow a symbolic link.
fs::path without_slash(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

/// The process that holds a lock on the open folder, from /proc/locks; empty where that does not tell.
std::string holder_of(int folder) {
  struct stat info {};
  if (::fstat(folder, &info) != 0) return {};
  const std::string inode = ":" + std::to_string(info.st_ino);
  std::ifstream locks("/proc/locks");
  std::string line;
  while (std::getline(locks, line)) {
    std::istringstream words(line);
    std::string number, type, mode, access, process, file;
    words >> number >> type >> mode >> access >> process >> file;
    if (type == "FLOCK" && file.ends_with(inode)) return " (process " + process + ")";
  }
  return {};
}

void lock(int folder, const fs::path& path) {
  if (::flock(folder, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) fail("cannot lock the result folder", path, errno);
  throw Error(ErrorKind::io,
              "another run" + holder_of(folder) + " is using the result folder; choose another with --output",
              path.string());
}

int open_folder(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) fail("cannot open the result folder", path, errno);
  return folder;
}

void refuse_unless_folder(const fs::path& path, fs::file_status status) {
  if (fs::is_directory(status)) return;
  const char* what = fs::is_symlink(status) ? "is a symbolic link, which is not followed" : "is no folder";
  throw Error(ErrorKind::io, std::string("the result folder ") + what + "; remove it, or choose another with --output",
              path.string());
}

/// Whether the folder holds anything; throws where it holds a symbolic link.
bool holds_anything(const fs::path& path) {
  std::error_code code;
  bool any = false;
  for (fs::directory_iterator entry(path, code), end; !code && entry != end; entry.increment(code)) {
    any = true;
    if (entry->is_symlink())
      throw Error(ErrorKind::io, "the result folder holds a symbolic link, which is not followed; remove it",
                  entry->path().string());
  }
  if (code) fail("cannot read the result folder", path, code.value());
  return any;
}

/// All of the bytes, through short writes and interruptions by signals: write_some(bytes left) is as write(2).
template <class WriteSome, class Describe>
void write_all(std::string_view bytes, const fs::path& path, const WriteSome& write_some,
               const Describe& what_is_left) {
  while (!bytes.empty()) {
    const ssize_t written = write_some(bytes);
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || errno != EINTR) {
      const int code = written == 0 ? ENOSPC : errno;
      fail("cannot write " + what_is_left(bytes.size()), path, code);
    }
  }
}

/// What is not there needs no removing.
void remove_file(FileSystem& files, int folder, const fs::path& path, const char* what) {
  if (files.remove(folder, path.filename().c_str()) != 0 && errno != ENOENT) fail(what, path, errno);
}

/// `what`: a file or a folder, which is open.
void bring_to_disk(FileSystem& files, int open, const char* what, const fs::path& path) {
  while (files.sync(open) != 0) {
    if (errno != EINTR) fail(std::string("cannot bring the ") + what + " to the disk", path, errno);
  }
}

}  // namespace

GrowingFile::GrowingFile(FileSystem& files, int folder, fs::path path, const std::string& name)
    : files_(&files), path_(std::move(path)), file_(files.create(folder, name.c_str())) {
  if (file_ < 0) fail("cannot create the file", path_, errno);
}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : files_(other.files_), path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

GrowingFile::~GrowingFile() {
  if (file_ >= 0) files_->close(file_);  // only on the way out of an error, which says more
}

void GrowingFile::write(std::string_view bytes, std::size_t after) {
  write_all(
      bytes, path_, [&](std::string_view left) { return files_->write(file_, left.data(), left.size()); },
      [&](std::size_t left) { return "the last " + std::to_string(left + after) + " bytes"; });
}

void GrowingFile::write_at(std::uint64_t offset, std::string_view bytes) {
  const auto place = [&](std::size_t left) { return offset + bytes.size() - left; };
  write_all(
      bytes, path_,
      [&](std::string_view left) {
        return files_->write_at(file_, left.data(), left.size(), static_cast<off_t>(place(left.size())));
      },
      [&](std::size_t left) { return std::to_string(left) + " bytes from byte " + std::to_string(place(left)); });
}

void GrowingFile::sync() { bring_to_disk(*files_, file_, "file", path_); }

void GrowingFile::close() {
  sync();
  if (files_->close(std::exchange(file_, -1)) != 0) fail("cannot close the file", path_, errno);
}

PutAt into(std::string& bytes) {
  return [&bytes](std::uint64_t offset, std::string_view piece) {
    bytes.resize(std::max<std::size_t>(bytes.size(), offset + piece.size()));
    bytes.replace(offset, piece.size(), piece);
  };
}

namespace {

void make_whole_file(FileSystem& files, int folder, const fs::path& path, const std::string& name,
                     const std::function<void(GrowingFile& file)>& fill) {
  const std::string temporary = temporary_name(name);
  remove_file(files, folder, path / temporary, "cannot remove the file");  // of a run that was killed
  try {
    GrowingFile file(files, folder, path / name, temporary);
    fill(file);
    file.close();
    if (files.rename(folder, temporary.c_str(), name.c_str()) != 0) fail("cannot rename the file", path / name, errno);
  } catch (...) {
    files.remove(folder, temporary.c_str());
    throw;
  }
  bring_to_disk(files, folder, "folder", path);
}

}  // namespace

void write_whole_file(FileSystem& files, int folder, const fs::path& path, const std::string& name,
                      std::initializer_list<std::string_view> parts) {
  std::size_t total = 0;
  for (const std::string_view part : parts) total += part.size();
  write_whole_file(files, folder, path, name, total, [&parts](const PutBytes& put) {
    for (const std::string_view part : parts) put(part);
  });
}

void write_whole_file(FileSystem& files, int folder, const fs::path& path, const std::string& name, std::size_t total,
                      const std::function<void(const PutBytes& put)>& give) {
  make_whole_file(files, folder, path, name, [&](GrowingFile& file) {
    std::size_t left = total;
    give([&](std::string_view part) {
      left -= std::min(left, part.size());
      file.write(part, left);
    });
  });
}

void write_whole_file(const fs::path& file, std::size_t total, const std::function<void(const PutBytes& put)>& give) {
  const fs::path path = file.parent_path();
  const int folder = open_folder(path);
  try {
    write_whole_file(system_files(), folder, path, file.filename().string(), total, give);
  } catch (...) {
    ::close(folder);
    throw;
  }
  ::close(folder);
}

void ResultFolder::check(const fs::path& given, bool force, std::span<const std::string> names) {
  const fs::path path = without_slash(given);
  require_room_for_files(path);
  std::error_code code;
  const fs::file_status status = fs::symlink_status(path, code);
  if (status.type() == fs::file_type::not_found) {
    fs::path parent = fs::absolute(path).parent_path();
    while (!fs::exists(parent, code) && parent.has_relative_path()) parent = parent.parent_path();
    if (!fs::is_directory(parent, code)) fail("cannot create the result folder " + path.string(), parent, ENOTDIR);
    if (::access(parent.c_str(), W_OK | X_OK) != 0)
      fail("cannot create the result folder " + path.string(), parent, errno);
    return;
  }
  if (status.type() == fs::file_type::none) fail("cannot look at the result folder", path, code.value());
  refuse_unless_folder(path, status);
  const int folder = open_folder(path);
  try {
    lock(folder, path);
  } catch (...) {
    ::close(folder);
    throw;
  }
  ::close(folder);
  if (holds_anything(path) && !force)
    throw Error(ErrorKind::usage,
                "the result folder is not empty; --force replaces the results in it, --output chooses another",
                path.string());
  if (!names.empty()) require_room(path, written_files(path), names);
}

ResultFolder::ResultFolder(const fs::path& path, bool force, FileSystem& files)
    : files_(files), path_(without_slash(path)) {
  check(path_, force);
  std::error_code code;
  fs::create_directories(path_, code);
  if (code) fail("cannot create the result folder", path_, code.value());
  folder_ = open_folder(path_);
  try {
    lock(folder_, path_);
    if (force) remove_earlier_results();
    start_list();
  } catch (...) {
    ::close(folder_);
    throw;
  }
}

ResultFolder::ResultFolder(const fs::path& path, FileSystem& files)
    : files_(files), path_(without_slash(path)), folder_(open_folder(path_)) {
  try {
    lock(folder_, path_);
    holds_anything(path_);
    written_ = written_files(path_, /*run_is_there=*/true);
    require_room(path_, written_, {});
    std::erase_if(written_, [&](const std::string& name) {
      return !fs::exists(path_ / name) && !fs::exists(path_ / temporary_name(name));
    });
    start_list();
  } catch (...) {
    ::close(folder_);
    throw;
  }
}

ResultFolder ResultFolder::of_earlier_run(const fs::path& path, FileSystem& files) { return {path, files}; }

ResultFolder::~ResultFolder() { ::close(folder_); }

void ResultFolder::remove_earlier_results() {
  const std::set<std::string> written = written_files(path_);
  std::vector<fs::path> earlier;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    if (written.contains(whole_name(entry.path().filename()))) earlier.push_back(entry.path());
  for (const fs::path& file : earlier) require_file(file);  // before the first one goes
  for (const fs::path& file : earlier) remove_file(files_, folder_, file, "cannot remove the earlier result");
}

/// The list appears only whole, and grows from there. What it names was written before, and is still there.
void ResultFolder::start_list() {
  const std::string temporary = temporary_name(list_name);
  remove_file(files_, folder_, path_ / temporary, "cannot remove the file");
  std::string text = list_head;
  for (const std::string& name : written_) text += name + "\n";
  try {
    list_.emplace(files_, folder_, path_ / list_name, temporary);
    list_->write(text);
    list_->sync();
    if (files_.rename(folder_, temporary.c_str(), list_name) != 0)
      fail("cannot rename the file", path_ / list_name, errno);
  } catch (...) {
    files_.remove(folder_, temporary.c_str());
    throw;
  }
}

void ResultFolder::claim(std::span<const std::string> names) {
  std::string lines;
  for (const std::string& name : names) {
    if (written_.contains(name)) continue;
    for (const std::string& file : {name, temporary_name(name)}) {
      struct stat info {};
      if (::fstatat(folder_, file.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) refuse_in_the_way(path_ / file);
    }
    lines += name + "\n";
  }
  if (lines.empty()) return;
  list_->write(lines);
  list_->sync();
  written_.insert(names.begin(), names.end());
}

void ResultFolder::remove(const std::string& name) {
  if (owns(name)) remove_file(files_, folder_, path_ / name, "cannot remove the earlier result");
}

void ResultFolder::write_whole(const std::string& name, std::initializer_list<std::string_view> parts) {
  claim({&name, 1});
  write_whole_file(files_, folder_, path_, name, parts);
}

void ResultFolder::write_whole(const std::string& name, std::size_t total,
                               const std::function<void(const PutBytes& put)>& give) {
  claim({&name, 1});
  write_whole_file(files_, folder_, path_, name, total, give);
}

void ResultFolder::write_whole(const std::string& name, const std::function<void(const PutAt& put)>& give) {
  claim({&name, 1});
  constexpr std::size_t at_once = 1 << 20;  // a file of so many bytes is written in one call
  make_whole_file(files_, folder_, path_, name, [&](GrowingFile& file) {
    std::optional<std::string> all = std::string();
    const PutAt put = into(*all);
    give([&](std::uint64_t offset, std::string_view bytes) {
      if (all && offset + bytes.size() > at_once) file.write_at(0, *std::exchange(all, std::nullopt));
      all ? put(offset, bytes) : file.write_at(offset, bytes);
    });
    if (all) file.write(*all);
  });
}

GrowingFile ResultFolder::grow(const std::string& name) {
  claim({&name, 1});
  remove(name);
  return {files_, folder_, path_ / name, name};
}

}  // namespace quoin
