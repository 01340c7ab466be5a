#pragma once

#include <filesystem>
#include <string>

#include "quoin/executor.hpp"

namespace quoin {

// Refusals before anything is allocated or written. All sizes in bytes.

/// Of the host's memory, what the process uses now: the program, its libraries, and what it has allocated and written.
double resident_memory();
/// `needed`: with what is resident now. Throws ErrorKind::case_file where the host has less memory, or the process may
/// use less (`ulimit -v`).
void require_host_memory(double needed, const std::string& case_name);
/// Throws ErrorKind::device where the device has less. A device that does not tell its memory is believed.
void require_device_memory(double needed, const DeviceInfo& device);
/// Throws ErrorKind::io where the file system of `folder`, which need not exist yet, has less left.
void require_disk(double needed, const std::filesystem::path& folder);

}  // namespace quoin
