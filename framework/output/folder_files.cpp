#include "output/folder_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "quoin/error.hpp"

namespace quoin {

FolderFiles::FolderFiles(ResultFolder& folder, std::string stem, std::string ending, int ranks)
    : folder_(folder), stem_(std::move(stem)), ending_(std::move(ending)), ranks_(ranks) {
  std::vector<std::string> names;
  for (int rank = 0; rank < ranks; ++rank) names.push_back(name(rank));
  folder_.claim(names);
}

std::filesystem::path FolderFiles::stem() const { return std::filesystem::absolute(folder_.path()) / stem_; }

void FolderFiles::write(int rank, std::uint64_t bytes, const GiveBytes& give) {
  std::uint64_t written = 0;
  folder_.write_whole(name(rank), bytes, [&](const PutBytes& put) {
    give([&](std::span<const std::byte> piece) {
      written += piece.size();
      put({reinterpret_cast<const char*>(piece.data()), piece.size()});
    });
    if (written != bytes)
      throw Error(ErrorKind::bug, fmt::format("{} bytes where {} were announced", written, bytes), name(rank));
  });
}

}  // namespace quoin
