#pragma once

// A checkpoint in memory. Of the CMake target Quoin::testing.

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "quoin/error.hpp"
#include "quoin/problem.hpp"

namespace quoin::testing {

/// Gives back what was put into it.
class FakeCheckpoint final : public CheckpointWriter, public CheckpointReader {
 public:
  void put(const std::string& name, std::span<const std::byte> bytes) override {
    arrays[name].assign(bytes.begin(), bytes.end());
  }
  void put_pieces(const std::string& name, std::size_t bytes, std::function<void(const Take& take)> give) override {
    std::vector<std::byte>& array = arrays[name];
    array.clear();
    give([&array](std::span<const std::byte> piece) { array.insert(array.end(), piece.begin(), piece.end()); });
    if (array.size() != bytes) throw Error(ErrorKind::bug, "not so many bytes as were announced", name);
  }
  void get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) override {
    const auto array = arrays.find(name);
    if (array == arrays.end() || array->second.size() != total)
      throw Error(ErrorKind::checkpoint, "no array of " + std::to_string(total) + " bytes", name);
    std::copy_n(array->second.begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
  }
  std::map<std::string, std::vector<std::byte>> arrays;
};

}  // namespace quoin::testing
