#include "output/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "output/hdf5.hpp"
#include "output/hdf5_input.hpp"
#include "quoin/error.hpp"

namespace quoin {

Checkpoint::Checkpoint(const std::string& image) try {
  const auto file = Hdf5Input::open_image(image);
  for (const std::string& name : file->names("/")) arrays_[name] = file->bytes(name);
} catch (const Error& error) {
  throw Error(ErrorKind::checkpoint, error.what());
}

void Checkpoint::put(const std::string& name, std::span<const std::byte> bytes) {
  arrays_[name].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void Checkpoint::put_parts(const std::string& name, std::uint64_t bytes, WriteParts write) {
  parts_[name] = {bytes, std::move(write)};
}

void Checkpoint::add_parts(const std::string& name, std::uint64_t bytes, std::vector<PartInFile> parts) {
  files_[name] = {bytes, std::move(parts)};
}

/// An array of files, or, as earlier versions wrote all, of the image.
void Checkpoint::get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) {
  const std::size_t kept = size_of(name);
  if (kept != total)
    throw Error(ErrorKind::checkpoint, "the checkpoint holds " + std::to_string(kept) + " bytes of '" + name +
                                           "', but the case has " + std::to_string(total));
  if (offset > total || bytes.size() > total - offset)
    throw Error(ErrorKind::bug, "a part of '" + name + "' that it does not have");
  const auto in_files = files_.find(name);
  if (in_files == files_.end()) {
    std::memcpy(bytes.data(), text(name).data() + offset, bytes.size());
    return;
  }
  std::ranges::fill(bytes, std::byte{0});
  for (const PartInFile& one : in_files->second.parts)
    one.part.each(offset, offset + bytes.size(), [&](std::uint64_t first, std::uint64_t many, std::uint64_t before) {
      one.file->clear();
      one.file->seekg(static_cast<std::streamoff>(before));
      one.file->read(reinterpret_cast<char*>(bytes.data() + (first - offset)), static_cast<std::streamsize>(many));
      if (!*one.file) throw Error(ErrorKind::checkpoint, "'" + name + "' cannot be read any more");
    });
}

std::size_t Checkpoint::size_of(const std::string& name) const {
  const auto in_files = files_.find(name);
  return in_files != files_.end() ? in_files->second.bytes : text(name).size();
}

const std::string& Checkpoint::text(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw Error(ErrorKind::checkpoint, "the checkpoint holds no '" + name + "'");
  return found->second;
}

std::string Checkpoint::image() const {
  return hdf5_image([&](Hdf5File& file) {
    for (const auto& [name, bytes] : arrays_) file.add(name, std::as_bytes(std::span(bytes)));
  });
}

}  // namespace quoin
