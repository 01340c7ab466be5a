#pragma once

#include <span>
#include <string>

#include "quoin/error.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// One value, byte by byte.
template <class Value>
void put_value(CheckpointWriter& writer, const std::string& name, const Value& value) {
  writer.put(name, std::as_bytes(std::span(&value, 1)));
}
template <class Value>
void get_value(CheckpointReader& reader, const std::string& name, Value& value) {
  reader.get(name, std::as_writable_bytes(std::span(&value, 1)));
}

/// Keeps a hash in a checkpoint, of what a run must find again to go on as it began.
inline void put_fingerprint(CheckpointWriter& writer, const std::string& name, const std::string& hash) {
  writer.put(name, std::as_bytes(std::span(hash)));
}

/// Throws ErrorKind::checkpoint with `message` where the checkpoint has another.
inline void require_fingerprint(CheckpointReader& reader, const std::string& name, const std::string& hash,
                                const std::string& message) {
  std::string kept(hash.size(), ' ');
  reader.get(name, std::as_writable_bytes(std::span(kept)));
  if (kept != hash) throw Error(ErrorKind::checkpoint, message);
}

}  // namespace quoin
