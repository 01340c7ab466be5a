#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "output/result_folder.hpp"
#include "output/sha256.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// history.csv, which grows with the run, and the hash of its residuals, which is taken with or without the file.
class History {
 public:
  /// `wanted`: whether there is a file.
  History(ResultFolder& folder, bool wanted);
  void add(std::span<const Residual> rows);
  void close();
  /// Over the residuals as little-endian doubles.
  [[nodiscard]] std::string sha256() const { return hash_.hex(); }

 private:
  std::optional<GrowingFile> file_;
  Sha256 hash_;
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
