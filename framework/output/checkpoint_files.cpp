#include "output/checkpoint_files.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <utility>

#include "base/sha256.hpp"
#include "output/checkpoint_index.hpp"
#include "output/folder_files.hpp"
#include "output/names.hpp"
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

std::string array_stem(const std::string& stem, const std::string& name) { return stem + "-" + name; }

std::string part_file(const std::string& array, int rank, int ranks) {
  return rank_file(array, rank, ranks, std::string(array_ending));
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
std::shared_ptr<std::istream> opened_checked(const fs::path& file, const std::string& it, const WrittenPart& written) {
  auto stream = std::make_shared<std::ifstream>(opened(file, it, written.part.bytes(), written.part.bytes()));
  std::vector<char> piece(std::size_t{1} << 20U);
  Sha256 hash;
  while (stream->read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream->gcount() > 0)
    hash.add(std::as_bytes(std::span(piece).first(static_cast<std::size_t>(stream->gcount()))));
  if (stream->bad()) refuse(it + " cannot be read");
  if (hash.hex() != written.sha256) refuse("the checksum of " + it + " is wrong");
  return stream;
}

/// Each part stays open, and there is one for each rank of the run that wrote them.
void allow_open_files(std::size_t more) {
  constexpr std::size_t others = 256;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= more + others) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, more + others);
  ::setrlimit(RLIMIT_NOFILE, &limit);  // where it is refused, so is a file
}

std::vector<Checkpoint::PartInFile> opened_parts(const fs::path& stem, const CheckpointIndex::Array& array) {
  std::vector<Checkpoint::PartInFile> parts;
  const auto count = static_cast<int>(array.parts.size());
  for (int rank = 0; rank < count; ++rank) {
    const std::string it = count == 1 ? fmt::format("its array '{}'", array.name)
                                      : fmt::format("part {} of its array '{}'", rank, array.name);
    const WrittenPart& written = array.parts[static_cast<std::size_t>(rank)];
    if (written.part.bytes() > 0)
      parts.push_back({written.part, opened_checked(part_file(stem.string(), rank, count), it, written)});
  }
  return parts;
}

Checkpoint read_checked(const fs::path& folder, const std::string& stem) {
  constexpr std::uint64_t longest_index = std::uint64_t{1} << 26U;
  const CheckpointIndex index =
      parse_checkpoint_index(read_whole(folder / (stem + std::string(index_ending)), longest_index));
  const std::string image = read_whole(folder / (stem + std::string(file_ending)), index.bytes);
  if (image.size() != index.bytes) refuse(fmt::format("it has {} bytes where {} are right", image.size(), index.bytes));
  if (sha256_of(image) != index.sha256) refuse("its checksum is wrong");
  Checkpoint checkpoint(image);
  std::size_t files = 0;
  for (const CheckpointIndex::Array& array : index.arrays) files += array.parts.size();
  allow_open_files(files);
  for (const CheckpointIndex::Array& array : index.arrays)
    checkpoint.add_parts(array.name, array.bytes, opened_parts(folder / array_stem(stem, array.name), array));
  return checkpoint;
}

CheckpointIndex::Array write_array(ResultFolder& folder, const std::string& stem, const std::string& name,
                                   const Checkpoint::Parts& parts, int ranks) {
  FolderFiles files(folder, array_stem(stem, name), std::string(array_ending), ranks);
  CheckpointIndex::Array array{name, parts.bytes, parts.write(files)};
  for (const WrittenPart& written : array.parts)
    if (!written.part.fits(parts.bytes))
      throw Error(ErrorKind::bug, fmt::format("a part of '{}' lies beyond its {} bytes", name, parts.bytes));
  return array;
}

}  // namespace

bool is_checkpoint_name(std::string_view name) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  for (const std::string_view ending : {file_ending, index_ending})
    if (name.ends_with(ending)) return is_number(name.substr(0, name.size() - ending.size()));
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos || !name.ends_with(array_ending)) return false;
  return is_number(name.substr(0, dash)) && is_array_name(stem_of_piece(name.substr(dash + 1)));
}

std::string write_checkpoint(ResultFolder& folder, const Checkpoint& checkpoint, std::int64_t iteration,
                             std::size_t keep, int ranks) {
  const std::string stem = fmt::format("{}{:012}", prefix, iteration);
  const std::string image = checkpoint.image();
  CheckpointIndex index{image.size(), sha256_of(image)};
  folder.claim(std::vector{stem + std::string(file_ending), stem + std::string(index_ending)});
  // An index of an earlier run's files of those names would not fit the new ones.
  folder.remove(stem + std::string(index_ending));
  for (const auto& [name, parts] : checkpoint.parts())
    index.arrays.push_back(write_array(folder, stem, name, parts, ranks));
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
