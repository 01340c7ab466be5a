#pragma once

#include <filesystem>
#include <fstream>
#include <vector>

#include "output/result_folder.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// VTK's XML image data with raw appended values: what stands before them, their number of bytes in binary included,
/// and behind.
struct VtiText {
  std::string head;
  std::uint64_t bytes;  ///< of the values
  std::string_view tail;

  [[nodiscard]] std::uint64_t size() const { return head.size() + bytes + tail.size(); }
};
/// Of some rows of a field.
VtiText vti_text(const GridField& field, const GridRows& rows);

/// Writes `field` as NAME.vti; returns the file's name.
std::string write_vti(ResultFolder& folder, const GridField& field);

/// Writes NAME.pvti, which names the files of ranks that have rows; returns its name.
std::string write_pvti(ResultFolder& folder, const GridPieces& pieces);

/// A file that write_vti or write_pvti wrote, row by row. Errors are ErrorKind::io.
class VtiInput {
 public:
  explicit VtiInput(const std::filesystem::path& file);
  /// All but the values.
  [[nodiscard]] const GridField& head() const { return head_; }
  /// The values of row j of all planes.
  void read_row(std::int64_t j, std::vector<double>& values);

 private:
  void open_pieces(const std::filesystem::path& file, const std::string& text);

  std::ifstream stream_;
  std::string name_;
  GridField head_;
  std::int64_t start_ = 0;        // of the values
  std::int64_t first_row_ = 0;    // of a piece
  std::vector<VtiInput> pieces_;  // ascending
};

}  // namespace quoin
