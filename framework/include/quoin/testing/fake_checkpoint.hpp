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
  void put_parts(const std::string& name, std::uint64_t bytes, WriteParts write) override {
    std::vector<std::byte>& array = arrays[name];
    array.assign(bytes, std::byte{0});
    InMemory memory;
    int rank = 0;
    for (const WrittenPart& written : write(memory)) {
      const std::vector<std::byte>& values = memory.parts[rank++];
      if (!written.part.fits(bytes)) throw Error(ErrorKind::bug, "a part that the array does not have", name);
      written.part.each(0, bytes, [&](std::uint64_t first, std::uint64_t many, std::uint64_t before) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(before), many,
                    array.begin() + static_cast<std::ptrdiff_t>(first));
      });
    }
  }
  void get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) override {
    const auto array = arrays.find(name);
    if (array == arrays.end() || array->second.size() != total)
      throw Error(ErrorKind::checkpoint, "no array of " + std::to_string(total) + " bytes", name);
    std::copy_n(array->second.begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
  }
  std::map<std::string, std::vector<std::byte>> arrays;

 private:
  /// Those of one array.
  struct InMemory final : RankFiles {
    [[nodiscard]] std::filesystem::path stem() const override { return {}; }
    [[nodiscard]] std::string ending() const override { return {}; }
    void write(int rank, std::uint64_t bytes, const GiveBytes& give) override {
      std::vector<std::byte>& values = parts[rank];
      give([&values](std::span<const std::byte> piece) { values.insert(values.end(), piece.begin(), piece.end()); });
      if (values.size() != bytes) throw Error(ErrorKind::bug, "not so many bytes as were announced");
    }
    std::map<int, std::vector<std::byte>> parts;  // of each rank
  };
};

}  // namespace quoin::testing
