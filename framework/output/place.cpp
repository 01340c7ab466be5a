#include "output/place.hpp"

#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <array>
#include <utility>

#include "quoin/error.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// What the kernel shows as files; nullptr for a file system that holds some.
const char* pseudo_name(const fs::path& path) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 9> known{{{PROC_SUPER_MAGIC, "proc"},
                                                                        {SYSFS_MAGIC, "sysfs"},
                                                                        {CGROUP_SUPER_MAGIC, "cgroup"},
                                                                        {CGROUP2_SUPER_MAGIC, "cgroup2"},
                                                                        {DEBUGFS_MAGIC, "debugfs"},
                                                                        {TRACEFS_MAGIC, "tracefs"},
                                                                        {SECURITYFS_MAGIC, "securityfs"},
                                                                        {BPF_FS_MAGIC, "bpf"},
                                                                        {DEVPTS_SUPER_MAGIC, "devpts"}}};
  struct statfs info {};
  if (::statfs(path.c_str(), &info) != 0) return nullptr;
  for (const auto& [magic, name] : known)
    if (static_cast<std::uint64_t>(info.f_type) == magic) return name;
  return nullptr;
}

}  // namespace

void require_room_for_files(const fs::path& folder) {
  std::error_code code;
  fs::path there = fs::absolute(folder, code);
  while (!fs::exists(there, code) && there.has_relative_path()) there = there.parent_path();
  constexpr const char* advice = "; choose another folder with --output";
  if (const char* name = pseudo_name(there))
    throw Error(ErrorKind::io,
                there.string() + " is of a pseudo file system (" + name + ") that holds no files" + advice,
                folder.string());
  struct statvfs info {};
  if (::statvfs(there.c_str(), &info) == 0 && (info.f_flag & ST_RDONLY) != 0)
    throw Error(ErrorKind::io, "the result folder lies on a read-only file system (" + there.string() + ")" + advice,
                folder.string());
}

}  // namespace quoin
