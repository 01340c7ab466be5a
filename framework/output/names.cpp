#include "output/names.hpp"

#include <fstream>
#include <iterator>

#include "quoin/error.hpp"

namespace quoin {

std::vector<std::filesystem::path> pieces_in(const std::filesystem::path& file, const std::string& text) {
  const std::string mark = "Source=\"";
  std::vector<std::filesystem::path> pieces;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::size_t start = at + mark.size();
    const std::filesystem::path name = text.substr(start, text.find('"', start) - start);
    if (name != name.filename()) throw Error(ErrorKind::io, "a piece is no file beside it", file.string());
    pieces.push_back(file.parent_path() / name);
  }
  return pieces;
}

std::vector<std::filesystem::path> pieces_of_frame(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<std::filesystem::path> pieces = pieces_in(file, {std::istreambuf_iterator<char>(stream), {}});
  for (std::filesystem::path& piece : pieces) piece.replace_extension(".h5");
  if (pieces.empty()) throw Error(ErrorKind::io, "the frame has no pieces", file.string());
  return pieces;
}

}  // namespace quoin
