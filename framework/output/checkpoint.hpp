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
/// pieces have a file of their own each.
class Checkpoint final : public CheckpointWriter, public CheckpointReader {
 public:
  /// An array on its way to its file.
  struct Pieces {
    std::size_t bytes;
    std::function<void(const Take& take)> give;
  };

  Checkpoint() = default;
  /// What image() made. ErrorKind::checkpoint where it is something else.
  explicit Checkpoint(const std::string& image);
  /// An array that lies in a file of so many bytes, which stays open.
  void add_file(const std::string& name, std::size_t bytes, std::shared_ptr<std::istream> file);

  void put(const std::string& name, std::span<const std::byte> bytes) override;
  void put_pieces(const std::string& name, std::size_t bytes, std::function<void(const Take& take)> give) override;
  void get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) override;
  void put_text(const std::string& name, std::string text) { arrays_[name] = std::move(text); }
  /// Throws ErrorKind::checkpoint where it is absent.
  [[nodiscard]] const std::string& text(const std::string& name) const;

  /// The bytes of an HDF5 file with an array of bytes for each name but those of pieces(); the same content gives the
  /// same bytes.
  [[nodiscard]] std::string image() const;
  [[nodiscard]] const std::map<std::string, Pieces>& pieces() const { return pieces_; }

 private:
  struct InFile {
    std::size_t bytes;
    std::shared_ptr<std::istream> file;
  };
  [[nodiscard]] std::size_t size_of(const std::string& name) const;

  std::map<std::string, std::string> arrays_;
  std::map<std::string, Pieces> pieces_;
  std::map<std::string, InFile> files_;
};

}  // namespace quoin
