#include "output/checkpoint.hpp"

#include <cstring>
#include <utility>

#include "output/hdf5.hpp"
#include "output/hdf5_input.hpp"
#include "quoin/error.hpp"

namespace quoin {

Checkpoint::Checkpoint(const std::string& image) try {
  const Hdf5Input file = Hdf5Input::of_image(image);
  for (const std::string& name : file.names("/")) arrays_[name] = file.bytes(name);
} catch (const Error& error) {
  throw Error(ErrorKind::checkpoint, error.what());
}

void Checkpoint::put(const std::string& name, std::span<const std::byte> bytes) {
  arrays_[name].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void Checkpoint::put_pieces(const std::string& name, std::size_t bytes, std::function<void(const Take& take)> give) {
  pieces_[name] = {bytes, std::move(give)};
}

void Checkpoint::add_file(const std::string& name, std::size_t bytes, std::shared_ptr<std::istream> file) {
  files_[name] = {bytes, std::move(file)};
}

/// An array of a file, or, as earlier versions wrote all, of the image.
void Checkpoint::get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) {
  const std::size_t kept = size_of(name);
  if (kept != total)
    throw Error(ErrorKind::checkpoint, "the checkpoint holds " + std::to_string(kept) + " bytes of '" + name +
                                           "', but the case has " + std::to_string(total));
  if (offset > total || bytes.size() > total - offset)
    throw Error(ErrorKind::bug, "a part of '" + name + "' that it does not have");
  const auto in_file = files_.find(name);
  if (in_file == files_.end()) {
    std::memcpy(bytes.data(), text(name).data() + offset, bytes.size());
    return;
  }
  std::istream& file = *in_file->second.file;
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw Error(ErrorKind::checkpoint, "'" + name + "' cannot be read any more");
}

std::size_t Checkpoint::size_of(const std::string& name) const {
  const auto in_file = files_.find(name);
  return in_file != files_.end() ? in_file->second.bytes : text(name).size();
}

const std::string& Checkpoint::text(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw Error(ErrorKind::checkpoint, "the checkpoint holds no '" + name + "'");
  return found->second;
}

std::string Checkpoint::image() const {
  Hdf5File file;
  for (const auto& [name, bytes] : arrays_) file.add(name, std::as_bytes(std::span(bytes)));
  return file.image();
}

}  // namespace quoin
