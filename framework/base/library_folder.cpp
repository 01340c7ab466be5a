#include "base/library_folder.hpp"

#include <dlfcn.h>

#include "quoin/error.hpp"

namespace quoin {

std::filesystem::path folder_of_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&folder_of_library), &info) == 0 || info.dli_fname == nullptr)
    throw Error(ErrorKind::io, "the folder of Quoin's library cannot be found");
  return std::filesystem::canonical(info.dli_fname).parent_path();
}

}  // namespace quoin
