#include "output/folder_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "quoin/error.hpp"

namespace quoin {

std::function<void(const PutBytes& put)> counted(std::uint64_t bytes, const GiveBytes& give) {
  return [bytes, give](const PutBytes& put) {
    std::uint64_t given = 0;
    give([&](std::span<const std::byte> piece) {
      given += piece.size();
      put({reinterpret_cast<const char*>(piece.data()), piece.size()});
    });
    if (given != bytes)
      throw Error(ErrorKind::bug, fmt::format("{} bytes of a file where {} were announced", given, bytes));
  };
}

FolderFiles::FolderFiles(ResultFolder& folder, std::string stem, std::string ending, int ranks)
    : folder_(folder), stem_(std::move(stem)), ending_(std::move(ending)), ranks_(ranks) {
  std::vector<std::string> names;
  for (int rank = 0; rank < ranks; ++rank) names.push_back(name(rank));
  folder_.claim(names);
}

std::filesystem::path FolderFiles::stem() const { return std::filesystem::absolute(folder_.path()) / stem_; }

void FolderFiles::write(int rank, std::uint64_t bytes, const GiveBytes& give) {
  folder_.write_whole(name(rank), bytes, counted(bytes, give));
}

}  // namespace quoin
