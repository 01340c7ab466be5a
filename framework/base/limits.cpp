#include "base/limits.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "quoin/bytes.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

double host_memory() {
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(info.totalram) * static_cast<double>(info.mem_unit);
}

/// Bytes that are mapped, and that are resident, of the process.
struct Used {
  double mapped = 0.0;
  double resident = 0.0;
};
Used used() {
  Used pages;
  std::ifstream("/proc/self/statm") >> pages.mapped >> pages.resident;
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  return {pages.mapped * page, pages.resident * page};
}

/// What may be resident before the process has mapped all that it may.
double address_space() {
  struct rlimit limit {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  const Used now = used();
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - now.mapped + now.resident);
}

}  // namespace

double resident_memory() { return used().resident; }

void require_host_memory(double needed, const std::string& case_name) {
  const double had = std::min(host_memory(), address_space());
  if (needed <= had) return;
  throw Error(ErrorKind::case_file,
              fmt::format("the run needs {} of host memory and {} can be had; make the problem smaller",
                          in_bytes(needed), in_bytes(had)),
              case_name);
}

void require_device_memory(double needed, const DeviceInfo& device) {
  const auto had = static_cast<double>(device.memory_bytes);
  if (had <= 0.0 || needed <= had) return;
  throw Error(ErrorKind::device,
              fmt::format("the run needs {} of device memory and the device has {}; make the problem smaller or choose "
                          "another device",
                          in_bytes(needed), in_bytes(had)),
              device.name);
}

void require_disk(double needed, const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::path there = std::filesystem::absolute(folder, code);
  while (!std::filesystem::exists(there, code) && there.has_relative_path()) there = there.parent_path();
  struct statvfs info {};
  if (statvfs(there.c_str(), &info) != 0) return;  // creating the folder will tell more
  const double had = static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
  if (needed <= had) return;
  throw Error(
      ErrorKind::io,
      fmt::format("the results need {} of disk and {} are left; choose another folder with --output, or write less "
                  "(output.fields, output.history)",
                  in_bytes(needed), in_bytes(had)),
      there.string());
}

}  // namespace quoin
