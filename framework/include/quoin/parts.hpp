#pragma once

// Arrays that no rank need hold whole, on their way into files: each rank writes what it has of one.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "quoin/communicator.hpp"

namespace quoin {

/// Bytes of an array: those of the ranges, one behind the other, and the same again `stride` bytes farther on, `count`
/// times in all.
struct ArrayPart {
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<Range> ranges{};
  std::uint64_t count = 1;
  std::uint64_t stride = 0;

  /// Of all ranges and repetitions.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Whether it lies in an array of so many bytes.
  [[nodiscard]] bool fits(std::uint64_t array) const;
  /// Calls visit(first, bytes, before) for each range that bytes [first, end) of the array have with it in common:
  /// `before` bytes of the part lie before it.
  void each(std::uint64_t first, std::uint64_t end,
            const std::function<void(std::uint64_t first, std::uint64_t bytes, std::uint64_t before)>& visit) const;
};

using TakeBytes = std::function<void(std::span<const std::byte> piece)>;
/// Hands over bytes piece by piece.
using GiveBytes = std::function<void(const TakeBytes& take)>;

/// A part whose bytes lie in a file of its own, with their SHA-256 as 64 hexadecimal digits.
struct WrittenPart {
  ArrayPart part;
  std::string sha256;
};

/// Where ranks write, a file each: those that have something to write.
class RankFiles {
 public:
  RankFiles() = default;
  RankFiles(const RankFiles&) = delete;
  RankFiles& operator=(const RankFiles&) = delete;
  virtual ~RankFiles() = default;
  /// The path of rank_file(), which adds the rank to `stem` and this ending; empty: ranks cannot write by themselves.
  [[nodiscard]] virtual std::filesystem::path stem() const = 0;
  [[nodiscard]] virtual std::string ending() const = 0;
  /// Writes the file of a rank, on the first one. ErrorKind::bug where other than so many bytes are given.
  virtual void write(int rank, std::uint64_t bytes, const GiveBytes& give) = 0;
};

/// STEM_RANK.ENDING, or STEM.ENDING of one rank alone.
[[nodiscard]] std::string rank_file(const std::string& stem, int rank, int ranks, const std::string& ending);

/// Writes so many bytes of each rank to its file: the rank itself where all see the folder, else the first one, who
/// gets them piece by piece. `files` is what the first rank writes to, null on others. Collective. On the first rank
/// the bytes of each, once all are written.
std::vector<std::uint64_t> write_files(Communicator& ranks, RankFiles* files, std::uint64_t bytes,
                                       const GiveBytes& give);

/// Writes what each rank has of an array. On the first rank the parts of all; on others nothing. Collective.
std::vector<WrittenPart> write_parts(Communicator& ranks, RankFiles* files, const ArrayPart& own,
                                     const GiveBytes& give);

}  // namespace quoin
