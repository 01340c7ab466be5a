#pragma once

#include <map>
#include <string>
#include <string_view>

#include "quoin/problem.hpp"

namespace quoin {

/// What a run needs to go on: named bytes and texts, on their way into a file or out of one.
class Checkpoint final : public CheckpointWriter, public CheckpointReader {
 public:
  Checkpoint() = default;
  /// What image() made. ErrorKind::checkpoint where it is something else.
  explicit Checkpoint(const std::string& image);

  void put(const std::string& name, std::span<const std::byte> bytes) override;
  void get(const std::string& name, std::span<std::byte> bytes) override;
  void put_text(const std::string& name, std::string text) { arrays_[name] = std::move(text); }
  /// Throws ErrorKind::checkpoint where it is absent.
  [[nodiscard]] const std::string& text(const std::string& name) const;

  /// The bytes of an HDF5 file with an array of bytes for each name; the same content gives the same bytes.
  [[nodiscard]] std::string image() const;

 private:
  std::map<std::string, std::string> arrays_;
};

}  // namespace quoin
