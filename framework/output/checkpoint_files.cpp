#include "output/checkpoint_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include "base/sha256.hpp"
#include "output/checkpoint_index.hpp"
#include "quoin/error.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

constexpr std::string_view prefix = "checkpoint-";
constexpr std::string_view file_ending = ".h5";
constexpr std::string_view index_ending = ".json";
constexpr std::string_view array_ending = ".bin";

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::checkpoint, what); }

/// Whether it is what the format `{:012}` makes of a number.
bool is_number(std::string_view digits) {
  constexpr std::size_t least = 12;
  constexpr std::size_t most = 19;
  return digits.size() >= least && digits.size() <= most && (digits.size() == least || digits.front() != '0') &&
         std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

std::string array_file(const std::string& stem, const std::string& name) {
  return stem + "-" + name + std::string(array_ending);
}

/// Those of all checkpoints in the folder.
std::vector<std::string> checkpoint_names(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (std::string name = entry->path().filename().string(); is_checkpoint_name(name))
      found.push_back(std::move(name));
  if (code) throw Error(ErrorKind::io, "cannot read the result folder: " + code.message(), folder.string());
  return found;
}

/// Those of one ending without it, the newest first.
std::vector<std::string> stems(const fs::path& folder, std::string_view ending) {
  std::vector<std::string> found;
  for (const std::string& name : checkpoint_names(folder))
    if (name.ends_with(ending)) found.push_back(name.substr(0, name.size() - ending.size()));
  std::ranges::sort(found, std::ranges::greater{}, [](const auto& stem) { return std::pair(stem.size(), stem); });
  return found;
}

/// Opens a file of so many bytes; `it` is what a refusal calls it.
std::ifstream opened(const fs::path& file, const std::string& it, std::uint64_t least, std::uint64_t most) {
  std::error_code code;
  if (!fs::is_regular_file(fs::symlink_status(file, code))) refuse(it + " is not there, or no file");
  if (const auto size = fs::file_size(file, code); code || size < least || size > most)
    refuse(fmt::format("{} has {} bytes where {} are right", it, size, most));
  return std::ifstream(file, std::ios::binary);
}

std::string read_whole(const fs::path& file, std::uint64_t most) {
  std::ifstream stream = opened(file, "it", 0, most);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) refuse("it cannot be read");
  return bytes;
}

/// Opened once its size and checksum have been found right.
std::shared_ptr<std::istream> opened_checked(const fs::path& file, const CheckpointIndex::Array& array) {
  const std::string it = "its array '" + array.name + "'";
  auto stream = std::make_shared<std::ifstream>(opened(file, it, array.bytes, array.bytes));
  std::vector<char> piece(std::size_t{1} << 20U);
  Sha256 hash;
  while (stream->read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream->gcount() > 0)
    hash.add(std::as_bytes(std::span(piece).first(static_cast<std::size_t>(stream->gcount()))));
  if (stream->bad()) refuse(it + " cannot be read");
  if (hash.hex() != array.sha256) refuse("the checksum of " + it + " is wrong");
  return stream;
}

Checkpoint read_checked(const fs::path& folder, const std::string& stem) {
  constexpr std::uint64_t longest_index = 4096;
  const CheckpointIndex index =
      parse_checkpoint_index(read_whole(folder / (stem + std::string(index_ending)), longest_index));
  const std::string image = read_whole(folder / (stem + std::string(file_ending)), index.bytes);
  if (image.size() != index.bytes) refuse(fmt::format("it has {} bytes where {} are right", image.size(), index.bytes));
  if (sha256_of(image) != index.sha256) refuse("its checksum is wrong");
  Checkpoint checkpoint(image);
  for (const CheckpointIndex::Array& array : index.arrays)
    checkpoint.add_file(array.name, array.bytes, opened_checked(folder / array_file(stem, array.name), array));
  return checkpoint;
}

/// Writes a file of so many bytes, and says what it has.
CheckpointIndex::Array write_pieces(ResultFolder& folder, const std::string& file, const std::string& name,
                                    const Checkpoint::Pieces& pieces) {
  Sha256 hash;
  std::size_t written = 0;
  folder.write_whole(file, pieces.bytes, [&](const PutBytes& put) {
    pieces.give([&](std::span<const std::byte> piece) {
      hash.add(piece);
      written += piece.size();
      put({reinterpret_cast<const char*>(piece.data()), piece.size()});
    });
    if (written != pieces.bytes)
      throw Error(ErrorKind::bug, fmt::format("{} bytes of '{}' where {} were announced", written, name, pieces.bytes));
  });
  return {name, written, hash.hex()};
}

}  // namespace

bool is_checkpoint_name(std::string_view name) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  for (const std::string_view ending : {file_ending, index_ending})
    if (name.ends_with(ending)) return is_number(name.substr(0, name.size() - ending.size()));
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos || !name.ends_with(array_ending)) return false;
  return is_number(name.substr(0, dash)) &&
         is_array_name(name.substr(dash + 1, name.size() - dash - 1 - array_ending.size()));
}

std::string write_checkpoint(ResultFolder& folder, const Checkpoint& checkpoint, std::int64_t iteration,
                             std::size_t keep) {
  const std::string stem = fmt::format("{}{:012}", prefix, iteration);
  const std::string image = checkpoint.image();
  CheckpointIndex index{image.size(), sha256_of(image)};
  std::vector<std::string> names{stem + std::string(file_ending), stem + std::string(index_ending)};
  for (const auto& [name, pieces] : checkpoint.pieces()) names.push_back(array_file(stem, name));
  folder.claim(names);
  // An index of an earlier run's files of those names would not fit the new ones.
  folder.remove(stem + std::string(index_ending));
  for (const auto& [name, pieces] : checkpoint.pieces())
    index.arrays.push_back(write_pieces(folder, array_file(stem, name), name, pieces));
  folder.write_whole(stem + std::string(file_ending), {image});
  folder.write_whole(stem + std::string(index_ending), {to_json(index) + "\n"});
  std::vector<std::string> old = stems(folder.path(), index_ending);
  std::erase_if(old, [&](const std::string& name) { return !folder.owns(name + std::string(index_ending)); });
  old.erase(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(std::min(keep, old.size())));
  for (const std::string& name : old) {
    folder.remove(name + std::string(index_ending));
    folder.remove(name + std::string(file_ending));
    for (const std::string& array : checkpoint_names(folder.path()))
      if (array.starts_with(name + "-")) folder.remove(array);
  }
  return stem + std::string(file_ending);
}

FoundCheckpoint newest_checkpoint(const fs::path& folder) {
  FoundCheckpoint found;
  for (const std::string& stem : stems(folder, file_ending)) {
    found.name = stem + std::string(file_ending);
    try {
      found.checkpoint = read_checked(folder, stem);
      return found;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::checkpoint) throw;
      found.passed_over.push_back(found.name + ": " + error.what());
    }
  }
  std::string what = found.passed_over.empty() ? "there is no checkpoint; start again with `quoin run --force`"
                                               : "no checkpoint can be used; start again with `quoin run --force`";
  for (const std::string& reason : found.passed_over) what += "\n  " + reason;
  throw Error(ErrorKind::checkpoint, what, folder.string());
}

}  // namespace quoin
