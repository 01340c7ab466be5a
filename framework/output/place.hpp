#pragma once

#include <filesystem>

namespace quoin {

/// Throws ErrorKind::io where `folder`, which need not exist yet, lies where no file can be: on a file system that is
/// read-only, or on a pseudo file system of the kernel.
void require_room_for_files(const std::filesystem::path& folder);

}  // namespace quoin
