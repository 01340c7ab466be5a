#include "output/checkpoint.hpp"

#include <cstring>

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

void Checkpoint::get(const std::string& name, std::span<std::byte> bytes) {
  const std::string& kept = text(name);
  if (kept.size() != bytes.size())
    throw Error(ErrorKind::checkpoint, "the checkpoint holds " + std::to_string(kept.size()) + " bytes of '" + name +
                                           "', but the case has " + std::to_string(bytes.size()));
  std::memcpy(bytes.data(), kept.data(), bytes.size());
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
