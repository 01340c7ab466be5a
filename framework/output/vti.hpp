#pragma once

#include <filesystem>
#include <fstream>
#include <vector>

#include "output/result_folder.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Writes `field` as NAME.vti, VTK's XML image data with raw appended values; returns the file's name.
std::string write_vti(ResultFolder& folder, const GridField& field);

/// A file that write_vti wrote, row by row. Errors are ErrorKind::io.
class VtiInput {
 public:
  explicit VtiInput(const std::filesystem::path& file);
  /// All but the values.
  [[nodiscard]] const GridField& head() const { return head_; }
  /// The values at nodes (0, j) to (nx - 1, j).
  void read_row(std::int64_t j, std::vector<double>& values);

 private:
  std::ifstream stream_;
  std::string name_;
  GridField head_;
  std::int64_t start_ = 0;  // of the values
};

}  // namespace quoin
