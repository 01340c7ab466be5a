#pragma once

#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "quoin/problem.hpp"

namespace quoin {

/// What a run needs to go on: named bytes and texts, on their way into files or out of them. Arrays that are put in
/// parts have files of their own, one a part.
class Checkpoint final : public CheckpointWriter, public CheckpointReader {
 public:
  /// An array on its way to its files.
  struct Parts {
    std::uint64_t bytes;
    WriteParts write;
  };
  /// One that lies there, which stays open.
  struct PartInFile {
    ArrayPart part;
    std::shared_ptr<std::istream> file;
  };

  Checkpoint() = default;
  /// What image() made. ErrorKind::checkpoint where it is something else.
  explicit Checkpoint(const std::string& image);
  /// An array of so many bytes; what no part has is zero.
  void add_parts(const std::string& name, std::uint64_t bytes, std::vector<PartInFile> parts);

  void put(const std::string& name, std::span<const std::byte> bytes) override;
  void put_parts(const std::string& name, std::uint64_t bytes, WriteParts write) override;
  void get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) override;
  void put_text(const std::string& name, std::string text) { arrays_[name] = std::move(text); }
  /// Throws ErrorKind::checkpoint where it is absent.
  [[nodiscard]] const std::string& text(const std::string& name) const;

  /// The bytes of an HDF5 file with an array of bytes for each name but those of parts(); the same content gives the
  /// same bytes.
  [[nodiscard]] std::string image() const;
  [[nodiscard]] const std::map<std::string, Parts>& parts() const { return parts_; }

 private:
  struct InFiles {
    std::uint64_t bytes;
    std::vector<PartInFile> parts;
  };
  [[nodiscard]] std::size_t size_of(const std::string& name) const;

  std::map<std::string, std::string> arrays_;
  std::map<std::string, Parts> parts_;
  std::map<std::string, InFiles> files_;
};

}  // namespace quoin
