#pragma once

#include <functional>
#include <string>
#include <vector>

#include "output/result_folder.hpp"
#include "quoin/parts.hpp"

namespace quoin {

/// What write_whole() takes. ErrorKind::bug where other than so many bytes are given.
std::function<void(const PutBytes& put)> counted(std::uint64_t bytes, const GiveBytes& give);

/// Files of ranks in the result folder.
class FolderFiles final : public RankFiles {
 public:
  /// Lists them as files that are to be written.
  FolderFiles(ResultFolder& folder, std::string stem, std::string ending, int ranks);
  [[nodiscard]] std::filesystem::path stem() const override;
  [[nodiscard]] std::string ending() const override { return ending_; }
  void write(int rank, std::uint64_t bytes, const GiveBytes& give) override;
  [[nodiscard]] std::string name(int rank) const { return rank_file(stem_, rank, ranks_, ending_); }

 private:
  ResultFolder& folder_;
  std::string stem_, ending_;
  int ranks_;
};

}  // namespace quoin
