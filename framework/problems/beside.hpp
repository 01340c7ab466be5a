#pragma once

#include <filesystem>
#include <string_view>

#include "quoin/case.hpp"

namespace quoin {

/// The file that a key names relative to the case file.
inline std::filesystem::path beside_case(const Case& the_case, std::string_view path) {
  return std::filesystem::path(the_case.name()).parent_path() / the_case.text(path);
}

}  // namespace quoin
