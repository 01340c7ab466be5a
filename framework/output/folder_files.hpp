#pragma once

#include <string>
#include <vector>

#include "output/result_folder.hpp"
#include "quoin/parts.hpp"

namespace quoin {

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
