#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"
#include "output/result_folder.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// history.csv, which grows with the run, and the hash of its values, which is taken with or without the file.
class History {
 public:
  /// `wanted`: whether there is a file.
  History(ResultFolder& folder, bool wanted, const std::vector<std::string>& columns);
  void add(std::span<const Row> rows);
  void close();
  /// All rows so far, for a checkpoint, and what adds them again.
  [[nodiscard]] std::string packed() const;
  void add_packed(std::string_view rows);
  /// Whether it can be what packed() gives.
  [[nodiscard]] static bool is_packed(std::string_view rows);
  /// Over the doubles, row by row, as they lie in memory: little-endian.
  [[nodiscard]] std::string sha256() const { return hash_.hex(); }

 private:
  std::optional<GrowingFile> file_;
  std::size_t width_;
  Sha256 hash_;
  std::vector<Number> numbers_;  // of all rows, for checkpoints
};

/// timing.csv: when how many iterations were done. Apart from the history, so that histories can be compared
/// byte for byte.
class Timing {
 public:
  explicit Timing(ResultFolder& folder);
  void add(std::int64_t iterations, double seconds);
  void close() { file_.close(); }

 private:
  GrowingFile file_;
};

}  // namespace quoin
