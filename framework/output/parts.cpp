#include "quoin/parts.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash_beside.hpp"
#include "output/folder_files.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

namespace fs = std::filesystem;

constexpr int part_tag = Communicator::last_tag - 3;
constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

/// What tells a file from one of the same name on another host's own disk.
struct Identity {
  std::uint64_t number = 0;
  std::int64_t size = -1;  // there is none
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  bool operator==(const Identity&) const = default;
};

Identity identity_of(const fs::path& file) {
  struct stat info {};
  if (::lstat(file.c_str(), &info) != 0) return {};
  return {info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

/// Whether all ranks see the result folder of the first one: by a file there that is written once, for what changes
/// network file systems show late.
bool all_see(Communicator& ranks, const fs::path& folder) {
  const Identity here = identity_of(folder / case_name);
  const Identity there = share_value(ranks, here);
  return least_of(ranks, there.size >= 0 && here == there ? 1 : 0) == 1;
}

/// To the first rank, in messages of piece_bytes and a last one of what is left.
void send_own(Communicator& ranks, const GiveBytes& give) {
  std::vector<std::byte> message;
  message.reserve(piece_bytes);
  const auto send = [&] {
    ranks.wait(*ranks.send(message, 0, part_tag));
    message.clear();
  };
  give([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const std::size_t more = std::min(piece.size(), piece_bytes - message.size());
      message.insert(message.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(more));
      piece = piece.subspan(more);
      if (message.size() == piece_bytes) send();
    }
  });
  if (!message.empty()) send();
}

GiveBytes received(Communicator& ranks, int from, std::uint64_t bytes) {
  return [&ranks, from, bytes](const TakeBytes& take) {
    std::vector<std::byte> message;
    for (std::uint64_t left = bytes; left > 0; left -= message.size()) {
      message.resize(std::min<std::uint64_t>(left, piece_bytes));
      ranks.wait(*ranks.receive(message, from, part_tag));
      take(message);
    }
  };
}

/// For the first rank: the count, the stride, how many ranges there are, each, and the digits of the checksum.
std::vector<std::byte> packed(const WrittenPart& written) {
  std::vector<std::uint64_t> words{written.part.count, written.part.stride, written.part.ranges.size()};
  for (const ArrayPart::Range& range : written.part.ranges) words.insert(words.end(), {range.first, range.bytes});
  const auto numbers = std::as_bytes(std::span(words));
  const auto digits = std::as_bytes(std::span(written.sha256));
  std::vector<std::byte> bytes(numbers.begin(), numbers.end());
  bytes.insert(bytes.end(), digits.begin(), digits.end());
  return bytes;
}

std::vector<WrittenPart> unpacked(std::span<const std::byte> bytes) {
  const auto word = [&bytes] {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
  };
  constexpr std::size_t digits = 64;
  std::vector<WrittenPart> all;
  while (!bytes.empty()) {
    WrittenPart& one = all.emplace_back();
    one.part.count = word();
    one.part.stride = word();
    one.part.ranges.resize(word());
    for (ArrayPart::Range& range : one.part.ranges) {
      range.first = word();
      range.bytes = word();
    }
    one.sha256.assign(reinterpret_cast<const char*>(bytes.data()), digits);
    bytes = bytes.subspan(digits);
  }
  return all;
}

/// Of each rank, on the first.
std::vector<std::uint64_t> gathered_sizes(Communicator& ranks, std::uint64_t own) {
  const std::vector<std::byte> bytes = gather(ranks, std::as_bytes(std::span(&own, 1)));
  std::vector<std::uint64_t> sizes(bytes.size() / sizeof own);
  if (!bytes.empty()) std::memcpy(sizes.data(), bytes.data(), bytes.size());
  return sizes;
}

void write_on_first(RankFiles& files, int rank, std::uint64_t bytes, const GiveBytes& give) {
  if (bytes > 0) files.write(rank, bytes, give);
}

/// By the first rank, who writes for all.
void write_for_all(Communicator& ranks, RankFiles* files, std::uint64_t bytes, const GiveBytes& give) {
  const std::vector<std::uint64_t> sizes = gathered_sizes(ranks, bytes);
  if (ranks.rank() != 0) {
    if (bytes > 0) send_own(ranks, give);
    return;
  }
  write_on_first(*files, 0, bytes, give);
  for (int rank = 1; rank < ranks.size(); ++rank) {
    const std::uint64_t size = sizes[static_cast<std::size_t>(rank)];
    write_on_first(*files, rank, size, received(ranks, rank, size));
  }
}

}  // namespace

std::string rank_file(const std::string& stem, int rank, int ranks, const std::string& ending) {
  return stem + (ranks > 1 ? "_" + std::to_string(rank) : std::string()) + ending;
}

std::vector<std::uint64_t> write_files(Communicator& ranks, RankFiles* files, std::uint64_t bytes,
                                       const GiveBytes& give) {
  const std::string stem = share(ranks, files != nullptr ? files->stem().string() : std::string());
  const std::string ending = share(ranks, files != nullptr ? files->ending() : std::string());
  if (ranks.size() > 1 && (stem.empty() || !all_see(ranks, fs::path(stem).parent_path())))
    write_for_all(ranks, files, bytes, give);
  else if (ranks.rank() == 0)
    write_on_first(*files, 0, bytes, give);
  else if (bytes > 0)
    write_whole_file(rank_file(stem, ranks.rank(), ranks.size(), ending), bytes, counted(bytes, give));
  return gathered_sizes(ranks, bytes);
}

std::vector<WrittenPart> write_parts(Communicator& ranks, RankFiles* files, const ArrayPart& own,
                                     const GiveBytes& give) {
  Sha256 hash;
  HashBeside beside(hash);
  write_files(ranks, files, own.bytes(), [&](const TakeBytes& take) {
    give([&](std::span<const std::byte> piece) {
      beside.add(piece);
      take(piece);
    });
  });
  beside.finish();
  const std::vector<std::byte> all = gather(ranks, packed({own, hash.hex()}));
  return ranks.rank() == 0 ? unpacked(all) : std::vector<WrittenPart>();
}

}  // namespace quoin
