#pragma once

#include <filesystem>

namespace quoin {

/// The folder of the library that holds this code; the same in the build tree and installed.
std::filesystem::path folder_of_library();

}  // namespace quoin
