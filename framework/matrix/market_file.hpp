#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace quoin {

struct MarketBytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;

  [[nodiscard]] std::string_view view() const { return {data.get(), size}; }
};

/// All of the file, inflated where gzip has compressed it. Throws ErrorKind::io where it cannot be read, and
/// ErrorKind::case_file where what gzip has written is damaged or cut off.
MarketBytes read_all(const std::filesystem::path& file);

/// The same up to the line of sizes: the first that is neither blank nor a comment.
std::string read_head(const std::filesystem::path& file);

}  // namespace quoin
